import type { Json } from "@palimpsest/core";
import { writeCommandSchemas } from "@palimpsest/core";
import fc from "fast-check";
import { anyContent } from "./contents.ts";
import { Dice } from "./dice.ts";
import {
  admission,
  callAdmission,
  groupBatch,
  longBatch,
  resultAdmission,
} from "./intend-admit.ts";
import { batch, cascade, evict, merge, redo, rewind, rewrite, undo } from "./intend-edit.ts";
import type { PureCommand } from "./pure.ts";
import type { RefEdit } from "./reference.ts";
import type { Draft, Situation } from "./situation.ts";
import { newId } from "./situation.ts";
import { effectOfEdit } from "./views.ts";

/*
 * What somebody means to do, before it is known what is there: an intent is turned into a command
 * when its turn comes, so that most commands name things that exist, and some do not.
 */

const makers = {
  admitSpan: admission,
  call: callAdmission,
  result: resultAdmission,
  group: groupBatch,
  longBatch,
  rewrite,
  evict,
  undo,
  cascade,
  merge,
  redo,
  rewind,
  batch,
  recall: ({ reference: { spans, tables }, dice }) => {
    const gone = [...(tables.at(-1) ?? [])].filter(([, mark]) => mark !== "live");
    const known = dice.chance(80) ? gone.map(([id]) => id) : [...spans.keys()];
    return { command: "recall", spanId: dice.pick(known) ?? "nobody", ...newId(dice, "as") };
  },
  markRead: ({ reference: { spans }, dice }) => {
    const first = dice.pick([...spans.keys()]) ?? "nobody";
    const second = dice.pick([...spans.keys()]) ?? "nobody";
    return { command: "markRead", spanIds: first === second ? [first] : [first, second] };
  },
  openWindow: () => ({ command: "openWindow" }),
  render: () => ({ command: "render" }),
  history: () => ({ command: "history" }),
  probe: ({ reference: { edits }, dice }) => ({
    command: "probe",
    editId: dice.chance(80) ? (dice.pick(edits)?.id ?? "none") : "none",
  }),
  status: ({ reference: { edits }, dice }) => ({
    command: "status",
    ...(dice.chance(70) && { editId: dice.pick(edits)?.id ?? "none" }),
  }),
  show: ({ events, dice }) => ({
    command: "show",
    ...(dice.chance(70) && { at: dice.roll(events.length + 3) - 1 }),
  }),
} as const satisfies Record<string, (situation: Situation) => Draft>;

type Kind = keyof typeof makers;

const weights: Readonly<Record<Kind, number>> = {
  admitSpan: 10,
  call: 4,
  result: 4,
  group: 2,
  longBatch: 1,
  rewrite: 10,
  evict: 6,
  undo: 7,
  cascade: 3,
  merge: 9,
  redo: 6,
  rewind: 6,
  batch: 3,
  recall: 4,
  markRead: 2,
  openWindow: 1,
  render: 2,
  history: 2,
  probe: 2,
  status: 1,
  show: 2,
};

export interface Intent {
  readonly kind: Kind;
  readonly dice: readonly number[];
  readonly content: Json;
}

// Without fast-check's liking for small numbers: the chances in the makers are meant.
const roll = fc.noBias(fc.nat({ max: 9_999 }));
const dice = fc.array(roll, { minLength: 12, maxLength: 12 });

export const anyIntent: fc.Arbitrary<Intent> = fc.record({
  kind: fc.oneof(
    ...Object.entries(weights).map(([kind, weight]) => ({
      weight,
      arbitrary: fc.constant(kind as Kind),
    })),
  ),
  dice,
  content: anyContent,
});

/** The command that an intent comes to, with who sends it and how; at times no command at all. */
export function commandOf(intent: Intent, context: Context): Draft {
  const situation = situationOf(intent, context);
  const { dice: rolls } = situation;
  const command = { ...made(intent, situation), ...sender(rolls), ...expected(situation) };
  return rolls.chance(4) ? spoiled(command, rolls) : command;
}

/** The command alone, in a form that `decide` takes; undefined for what only a log can answer. */
export function plainCommandOf(intent: Intent, context: Context): PureCommand | undefined {
  const command = made(intent, situationOf(intent, context));
  const isPlain = command.command === "batch" || PLAIN.includes(command.command);
  return isPlain ? (command as unknown as PureCommand) : undefined;
}

type Context = Pick<Situation, "reference" | "events">;

const PLAIN = Object.keys(writeCommandSchemas).filter((name) => name !== "render");

function situationOf(intent: Intent, { reference, events }: Context): Situation {
  return { reference, events, content: intent.content, dice: new Dice(intent.dice) };
}

function made(intent: Intent, situation: Situation): Draft {
  return { ...makers[feasible(intent.kind, situation)](situation), ...asked(situation) };
}

const NEED_EDITS: readonly Kind[] = ["undo", "redo", "probe"];
const NEED_STALE: readonly Kind[] = ["cascade", "merge"];
const NEED_SPANS: readonly Kind[] = ["rewrite", "evict", "recall", "markRead"];

/** Mostly, what has nothing to work on yet gives way to what makes something. */
function feasible(kind: Kind, { reference, dice: rolls }: Situation): Kind {
  if (rolls.chance(15)) return kind;
  const { edits, spans } = reference;
  const isStale = (edit: RefEdit): boolean =>
    ["stale", "merged"].includes(effectOfEdit(reference, edit));
  const idle =
    (NEED_EDITS.includes(kind) && edits.length === 0) ||
    (NEED_STALE.includes(kind) && !edits.some(isStale));
  const wanted = idle ? "rewrite" : kind;
  return NEED_SPANS.includes(wanted) && spans.size < 2 ? "admitSpan" : wanted;
}

function sender(rolls: Dice): object {
  const roll = rolls.roll(100);
  if (roll < 78) return {};
  if (roll < 92) return { by: roll % 2 === 0 ? "model/m" : "m" };
  if (roll < 96) return { by: "human/h" };
  return { by: roll < 98 ? "verifier/v" : "host/stranger" };
}

/** The tool call that asked. */
function asked({ reference: { spans }, dice: rolls }: Situation): object {
  if (!rolls.chance(8)) return {};
  const known = [...spans.values()].flatMap(({ call }) => call ?? []);
  return { via: rolls.pick(known) ?? "unknown-call" };
}

function expected({ events, dice: rolls }: Situation): object {
  const roll = rolls.roll(100);
  if (roll < 92) return {};
  if (roll < 96) return { expectedRevision: Math.max(events.length - 1, 0) };
  if (roll < 98) return { expectedRevision: "any" };
  return { expectedRevision: roll < 99 ? "no-stream" : events.length + 1 };
}

/** Makes it no command at all. */
function spoiled(command: Draft, rolls: Dice): Draft {
  const ways: Draft[] = [
    { ...command, unknown: 1 },
    { ...command, commandId: "with space" },
    { ...command, command: `${command.command}s` },
    { ...command, by: "\ud800" },
    { ...command, via: "" },
    { ...command, expectedRevision: -1 },
  ];
  return rolls.pick(ways) ?? command;
}
