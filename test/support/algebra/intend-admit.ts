import type { Dice } from "./dice.ts";
import type { Draft, Situation } from "./situation.ts";
import { newId } from "./situation.ts";
import { isLive } from "./views.ts";

/* Intents to admit spans. */

const origins = ["user", "assistant", "assistant", "host", "tool", "system"] as const;
const kinds = ["text", "text", "text", "reasoning", "other"] as const;

export function admission({ dice, content }: Situation): Draft {
  return {
    command: "admitSpan",
    origin: dice.pick(origins),
    content,
    ...newId(dice, "spanId"),
    ...(dice.chance(50) && { kind: dice.pick(kinds) }),
    ...(dice.chance(20) && message(dice)),
    ...(dice.chance(8) && { pinned: dice.chance(70) }),
    ...(dice.chance(8) && { sealed: true }),
    ...(dice.chance(5) && { group: `g${dice.roll(6)}` }),
    ...(dice.chance(5) && { provider: { signature: "x" } }),
    ...(dice.chance(3) && { call: "c1" }),
  };
}

export function callAdmission({ dice, content }: Situation): Draft {
  const tool = { name: dice.pick(["read", "run"]) };
  return {
    command: "admitSpan",
    origin: "assistant",
    kind: "tool-call",
    content,
    call: `c${dice.roll(12)}`,
    ...(dice.chance(50) && { tool }),
    ...(dice.chance(50) && message(dice)),
  };
}

/** Mostly the result of a call that waits for one. */
export function resultAdmission({ dice, content, reference }: Situation): Draft {
  const players = [...reference.spans.values()].filter(({ call }) => call !== undefined);
  const answered = players.filter(({ kind }) => kind === "tool-result").map(({ call }) => call);
  const open = players.filter(({ call, id }) => !answered.includes(call) && isLive(reference, id));
  const pool = dice.chance(70) ? open : players;
  return {
    command: "admitSpan",
    origin: "tool",
    kind: "tool-result",
    content,
    call: dice.pick(pool)?.call ?? `c${dice.roll(12)}`,
    ...(dice.chance(50) && { tool: { name: "read", status: dice.pick(["ok", "error"]) } }),
  };
}

/** Two or three spans that are live together, in one append. */
export function groupBatch({ dice, content, events }: Situation): Draft {
  const group = dice.chance(80) ? `G${events.length}` : `g${dice.roll(6)}`;
  const sealed = dice.chance(50);
  const spans = Array.from({ length: 2 + dice.roll(2) }, (_, index) => ({
    command: "admitSpan",
    origin: "assistant",
    kind: index === 0 ? "reasoning" : "text",
    content: index === 0 ? content : `part ${index}`,
    group,
    ...(sealed && { sealed }),
    message: { id: `of-${group}`, index },
  }));
  return { command: "batch", commands: spans };
}

/** As an import sends them: many admissions in one append, a call and its result among them. */
export function longBatch({ dice, content, events }: Situation): Draft {
  const call = `L${events.length}`;
  const texts = Array.from({ length: 7 + dice.roll(4) }, (_, index) => ({
    command: "admitSpan",
    origin: "user",
    content: index === 0 ? content : `line ${index}`,
  }));
  const bound = [
    { command: "admitSpan", origin: "assistant", kind: "tool-call", content: "call", call },
    { command: "admitSpan", origin: "tool", kind: "tool-result", content: "result", call },
  ];
  const broken = dice.chance(10) ? [{ ...bound[1], spanId: "again" }] : [];
  return { command: "batch", commands: [...texts, ...bound, ...broken] };
}

function message(dice: Dice): object {
  return { message: { id: `m${dice.roll(5)}`, index: dice.roll(3) } };
}
