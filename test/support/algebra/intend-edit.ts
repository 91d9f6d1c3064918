import type { Json, RecordedWindowEvent } from "@palimpsest/core";
import type { Dice } from "./dice.ts";
import type { RefEdit, Reference, RefSpan } from "./reference.ts";
import type { Draft, Situation } from "./situation.ts";
import { newId } from "./situation.ts";
import type { RefEffect } from "./views.ts";
import { effectOfEdit, isLive, liveIds } from "./views.ts";

/* Intents to edit. */

export function rewrite(situation: Situation): Draft {
  const { dice } = situation;
  const product = dice.chance(45) ? dice.pick(liveProducts(situation.reference)) : undefined;
  const consumes = product === undefined ? taken(situation) : [product];
  return {
    command: "rewrite",
    consumes,
    content: rewritten(situation, consumes),
    ...newId(dice, "editId"),
    ...newId(dice, "spanId"),
  };
}

/** Mostly the old text with one line changed, at times what it was before, or something new. */
function rewritten({ reference, events, dice, content }: Situation, consumes: string[]): Json {
  const [only, ...more] = consumes;
  const old = more.length === 0 ? textOf(events, only) : undefined;
  const roll = dice.roll(100);
  if (old === undefined || roll < 20) return content;
  if (roll < 35) return textOf(events, reference.spans.get(only ?? "")?.inputs[0]) ?? content;
  return roll < 38 ? old : withOneLineChanged(old, dice);
}

function liveProducts(reference: Reference): string[] {
  return liveIds(reference).filter((id) => (reference.spans.get(id)?.inputs.length ?? 0) > 0);
}

export function evict(situation: Situation): Draft {
  return { command: "evict", consumes: taken(situation), ...newId(situation.dice, "editId") };
}

export function undo({ reference, dice }: Situation): Draft {
  const editId = editOf(reference, dice, ["applied"]);
  const broken = dice.chance(3) && { content: "content belongs to merges" };
  return { command: "undo", editId, ...broken, ...newId(dice, "as") };
}

export function cascade({ reference, dice }: Situation): Draft {
  const editId = editOf(reference, dice, ["stale", "merged"]);
  return { command: "undo", strategy: "cascade", editId, ...newId(dice, "as") };
}

export function merge({ reference, dice, content }: Situation): Draft {
  const resolved = dice.chance(25) && { content };
  const editId = editOf(reference, dice, ["stale", "merged"]);
  return { command: "undo", strategy: "merge", editId, ...resolved, ...newId(dice, "as") };
}

export function redo({ reference, dice }: Situation): Draft {
  return { command: "redo", editId: editOf(reference, dice, ["undone"]), ...newId(dice, "as") };
}

export function rewind({ reference, dice, events }: Situation): Draft {
  const near = reference.boundaries.slice(-6);
  const to = dice.chance(70)
    ? (dice.pick(dice.chance(70) ? near : reference.boundaries) ?? 0)
    : dice.roll(events.length + 4) - 2;
  const abandonOpenCalls = dice.chance(50) && { abandonOpenCalls: true };
  return { command: "rewind", to, ...abandonOpenCalls, ...newId(dice, "as") };
}

/** Several commands at once; the later ones may need what the earlier ones made. */
export function batch(situation: Situation): Draft {
  const { dice, content, events } = situation;
  const spanId = `b${events.length}`;
  const editId = `be${events.length}`;
  const by = dice.chance(20) && { by: "model/m" };
  const admitted = { command: "admitSpan", origin: "assistant", spanId, content, ...by };
  const rewritten = {
    command: "rewrite",
    editId,
    consumes: [spanId],
    spanId: `${spanId}.2`,
    content: "rewritten in the batch",
  };
  const ways: Draft[][] = [
    [admitted, rewritten],
    [admitted, rewritten, { command: "undo", editId }],
    [evict(situation), undo(situation)],
    [rewrite(situation), rewind(situation)],
    [admitted, rewind(situation), { command: "markRead", spanIds: [spanId] }],
    [undo(situation), redo(situation)],
    [],
  ];
  return { command: "batch", commands: dice.pick(ways) ?? [] };
}

/** Spans to take: mostly a stretch of live ones, with what is bound to them. */
function taken({ reference, dice }: Situation): string[] {
  const live = liveIds(reference);
  const roll = dice.roll(10);
  const some = new Set<string>();
  if (roll < 8) {
    const start = dice.roll(Math.max(live.length, 1));
    for (const id of live.slice(start, start + 1 + dice.roll(3))) some.add(id);
    if (dice.chance(60)) for (const id of boundTo(reference, some)) some.add(id);
  } else {
    const pool = roll === 8 ? live : [...reference.spans.keys()];
    for (let n = 0; n < 2; n += 1) some.add(dice.pick(pool) ?? "nobody");
    if (dice.chance(10)) some.add("nobody");
  }
  const wanted = [...some].filter((id) => !reference.spans.get(id)?.pinned || dice.chance(20));
  return wanted.length === 0 ? [live[0] ?? "nobody"] : wanted;
}

/** Live spans that share a bond with one of these. */
function boundTo(reference: Reference, ids: ReadonlySet<string>): string[] {
  const inside = [...ids].flatMap((id) => reference.spans.get(id) ?? []);
  const shares = (span: RefSpan, field: "call" | "group"): boolean =>
    inside.some((other) => other[field] !== undefined && other[field] === span[field]);
  return [...reference.spans.values()]
    .filter((span) => shares(span, "call") || shares(span, "group"))
    .map(({ id }) => id)
    .filter((id) => isLive(reference, id));
}

/** An edit of a wanted effect if there is one; else any, or none that exists. */
function editOf(reference: Reference, dice: Dice, wanted: readonly RefEffect[]): string {
  const { edits } = reference;
  const turn = dice.roll(wanted.length);
  const effects = [...wanted.slice(turn), ...wanted.slice(0, turn)];
  const fitting = effects
    .map((effect) => edits.filter((edit) => isReversible(edit, effect)))
    .find((list) => list.length > 0);
  const pool = dice.chance(75) ? (fitting ?? edits) : edits;
  return dice.pick(pool)?.id ?? "none";

  function isReversible(edit: RefEdit, effect: RefEffect): boolean {
    return edit.target === undefined && effectOfEdit(reference, edit) === effect;
  }
}

function textOf(events: readonly RecordedWindowEvent[], spanId: string | undefined) {
  for (const { type, data } of events) {
    const born =
      type === "SpanAdmitted" ? data : type === "WindowEdited" ? data.creates : undefined;
    if (born?.spanId === spanId)
      return typeof born?.content === "string" ? born.content : undefined;
  }
  return undefined;
}

function withOneLineChanged(text: string, dice: Dice): string {
  const lines = text.split("\n");
  const at = dice.roll(lines.length);
  lines[at] = `${(lines[at] ?? "").slice(0, 20).toWellFormed()}~${dice.roll(100)}`;
  return lines.join("\n");
}
