import type { RefEdit, Reference, RefMark, RefSpan } from "./reference.ts";
import { marksOf } from "./reference.ts";

/* What the window shows and says of itself, read off the reference by design §4 and §5. */

export type RefEffect = "applied" | "stale" | "merged" | "undone" | "superseded";

export interface RefGap {
  readonly after: string | null;
  readonly spans: readonly string[];
  readonly edits: readonly string[];
}

export function markOf(reference: Reference, id: string): RefMark | undefined {
  return marksOf(reference).get(id);
}

export function isLive(reference: Reference, id: string): boolean {
  return markOf(reference, id) === "live";
}

/** Live spans in order of position. */
export function liveSpans(reference: Reference): RefSpan[] {
  return [...reference.spans.values()]
    .filter(({ id }) => isLive(reference, id))
    .sort((a, b) => a.position - b.position);
}

export function liveIds(reference: Reference): string[] {
  return liveSpans(reference).map(({ id }) => id);
}

export function tokensOfWindow(reference: Reference): number {
  return liveSpans(reference).reduce((sum, { tokens }) => sum + tokens, 0);
}

/** Consumed spans. */
export function outOfView(reference: Reference): number {
  return [...marksOf(reference).values()].filter((mark) => typeof mark === "number").length;
}

export function editById(reference: Reference, id: string | undefined): RefEdit | undefined {
  return reference.edits.find((edit) => edit.id === id);
}

export function editByOrdinal(reference: Reference, ordinal: RefMark): RefEdit | undefined {
  return reference.edits.find((edit) => edit.ordinal === ordinal);
}

export function isInPlace(reference: Reference, edit: RefEdit): boolean {
  return [...edit.after].every(([id, mark]) => markOf(reference, id) === mark);
}

export function isReverted(reference: Reference, edit: RefEdit): boolean {
  return [...edit.before].every(([id, mark]) => markOf(reference, id) === mark);
}

/** First axis of the status (design §4); an undo or redo is as good as its target's state. */
export function effectOfEdit(reference: Reference, edit: RefEdit): RefEffect {
  const place = reference.edits.indexOf(edit);
  if (edit.verb === "undo" || edit.verb === "redo") {
    const target = reference.edits.slice(0, place).find(({ id }) => id === edit.target);
    if (target === undefined) return "undone";
    const effect = effectOfEdit(reference, target);
    if (edit.verb === "redo") return effect;
    if (effect !== "undone") return "undone";
    return isReverted(reference, target) ? "applied" : "stale";
  }
  if (isInPlace(reference, edit)) return "applied";
  if (edit.verb === "rewind") return isTakenBack(reference, edit) ? "undone" : "superseded";
  const held = [...edit.after].every(
    ([id, mark]) => id === edit.product || markOf(reference, id) === mark,
  );
  if (!held) return "undone";
  const merged = reference.edits
    .slice(place + 1)
    .filter(({ verb, mergeOf }) => verb === "rewrite" && mergeOf === edit.id)
    .some((other) => ["applied", "stale"].includes(effectOfEdit(reference, other)));
  return merged ? "merged" : "stale";
}

/** Its spans are as it found them, or what they are now came about after it was undone. */
function isTakenBack(reference: Reference, rewind: RefEdit): boolean {
  const ids = [...rewind.after.keys()];
  return isReverted(reference, rewind) || !ids.some((id) => isThrough(reference.edits, id, rewind));
}

/** The last of `edits` to write a span's mark wrote it on top of what the rewind had written. */
function isThrough(edits: readonly RefEdit[], id: string, rewind: RefEdit): boolean {
  const writers = edits.filter(({ after }) => after.has(id));
  const last = writers.pop();
  if (last === undefined || last === rewind) return last === rewind;
  const { target, to } = last;
  if (target !== undefined) {
    // As before the target was applied, or before it was taken back.
    const turn = writers.findLastIndex((edit) => edit.id === target || edit.target === target);
    return isThrough(writers.slice(0, Math.max(turn, 0)), id, rewind);
  }
  if (to !== undefined && to < rewind.revision) return last.ordinal > rewind.ordinal;
  const then = writers.filter(({ revision }) => to === undefined || revision <= to);
  return isThrough(then, id, rewind);
}

/** Whatever `id` came from by rewrites, however far back. */
export function ancestorsOf(reference: Reference, id: string): Set<string> {
  const ancestors = new Set(reference.spans.get(id)?.inputs);
  for (const one of ancestors) {
    for (const input of reference.spans.get(one)?.inputs ?? []) ancestors.add(input);
  }
  return ancestors;
}

/** A gap where evicted spans have no live descendant (design §5). */
export function gapsOf(reference: Reference): RefGap[] {
  const live = liveSpans(reference);
  const covered = new Set(live.flatMap(({ id }) => [...ancestorsOf(reference, id)]));
  const evicted = [...reference.spans.values()]
    .filter(({ id }) => {
      const mark = markOf(reference, id);
      if (mark === undefined || covered.has(id)) return false;
      return editByOrdinal(reference, mark)?.verb === "evict";
    })
    .sort((a, b) => a.position - b.position);
  const gaps = new Map<string | null, string[]>();
  for (const { id, position } of evicted) {
    const after = live.findLast((span) => span.position < position)?.id ?? null;
    gaps.set(after, [...(gaps.get(after) ?? []), id]);
  }
  return [...gaps].map(([after, spans]) => ({ after, spans, edits: takersOf(reference, spans) }));
}

function takersOf(reference: Reference, spans: readonly string[]): string[] {
  return reference.edits
    .filter(({ ordinal }) => spans.some((id) => markOf(reference, id) === ordinal))
    .map(({ id }) => id);
}
