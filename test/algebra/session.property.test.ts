import { replay } from "@palimpsest/core/host";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainState } from "../support/algebra/agreement.ts";
import { Counts } from "../support/algebra/counts.ts";
import type { Intent } from "../support/algebra/intents.ts";
import { anyIntent, commandOf } from "../support/algebra/intents.ts";
import { WINDOW } from "../support/algebra/pure.ts";
import { Session } from "../support/algebra/session.ts";

const long = process.env.PALIMPSEST_LONG !== undefined;
const numRuns = long ? 6_000 : 300;
/** A processor that others use too may take its time. */
const timeout = long ? 3_600_000 : 150_000;

const counts = new Counts();
const intents = fc.array(anyIntent, { minLength: 4, maxLength: 45, size: "max" });

describe("random sessions", () => {
  it("follow the reference, break no rule, and repeat what they answered", {
    timeout,
  }, async () => {
    const property = fc.asyncProperty(intents, fc.nat({ max: 2 }), async (list, before) => {
      const session = await play(list, before);
      await session.checkShown();
      expect(session.problems, session.story()).toEqual([]);
    });
    await fc.assert(property, { numRuns });
  });

  it("are replayed to the very state that was built step by step", { timeout }, async () => {
    const property = fc.asyncProperty(intents, fc.nat(), async (list, pick) => {
      const { log, states } = await play(list, 0);
      const then = states[pick % states.length];
      const now = await replay(log, WINDOW);
      expect(plainState(now)).toEqual(plainState(states.at(-1) ?? now));
      if (then === undefined || then.revision < 0) return;
      const again = await replay(log, WINDOW, { to: then.revision });
      expect(plainState(again)).toEqual(plainState(then));
    });
    await fc.assert(property, { numRuns: Math.ceil(numRuns / 4) });
  });

  it("saw every command accepted and refused many times", () => {
    console.log(`outcomes of ${numRuns} sessions and more\n${counts}`);
    const commands = [
      ...["admitSpan", "rewrite", "evict", "undo", "redo", "rewind", "recall", "batch"],
      ...["undo by cascade", "undo by merge"],
      ...["markRead", "render", "openWindow", "probe", "show", "status", "history"],
    ];
    const seldom = commands.filter(
      (name) => counts.of(name, "accepted") < 20 || counts.of(name, "refused") < 10,
    );
    expect(seldom).toEqual([]);
    for (const name of ["rewrite", "undo by merge", "rewind", "recall", "batch"]) {
      expect(counts.of(name, "nothing-to-do"), name).toBeGreaterThan(0);
    }
  });

  it("saw every refusal code that a random session can meet", () => {
    const codes = [
      ...["invalid-command", "command-id-reused", "permission-denied", "wrong-expected-revision"],
      ...["window-not-open", "window-exists", "unknown-span", "unknown-edit", "id-taken"],
      ...["span-not-live", "not-contiguous", "already-undone", "not-undone", "stale-edit"],
      ...["already-merged", "not-mergeable", "merge-conflict", "superseded", "out-of-range"],
      ...["bond-broken", "open-call", "duplicate-result", "call-not-live", "pinned"],
    ];
    expect(codes.filter((code) => counts.ofCode(code) < 3)).toEqual([]);
  });
});

/** Sends what the intents come to; `before` of them before the window is open. */
async function play(list: readonly Intent[], before: number): Promise<Session> {
  const session = new Session(counts);
  const sent: { command: object; answer: object }[] = [];
  for (const [n, intent] of list.entries()) {
    if (n === before) await session.send({ command: "openWindow", commandId: "open" });
    const command = { commandId: `k${n}`, ...commandOf(intent, session) };
    await reuse(session, sent, command, intent);
    const answer = await session.send(command);
    if (isAppended(answer)) sent.push({ command, answer });
    if ((intent.dice[0] ?? 0) % 3 === 0) await repeatOne(session, sent, intent.dice[1] ?? 0);
    if (session.problems.length > 0) return session;
  }
  return session;
}

/** At times the command is first sent under an id that another command has. */
async function reuse(
  session: Session,
  sent: readonly { command: object; answer: object }[],
  command: object,
  { dice }: Intent,
): Promise<void> {
  const other = sent[(dice[2] ?? 0) % sent.length]?.command;
  if (other === undefined || !("commandId" in other) || (dice[3] ?? 0) % 20 > 0) return;
  const again = { ...command, commandId: other.commandId };
  if (JSON.stringify(again) !== JSON.stringify(other)) await session.send(again);
}

async function repeatOne(
  session: Session,
  sent: readonly { command: object; answer: object }[],
  pick: number,
): Promise<void> {
  const one = sent[pick % sent.length];
  if (one !== undefined) await session.repeat(one.command, one.answer);
}

function isAppended(answer: object): boolean {
  return "events" in answer && Array.isArray(answer.events) && answer.events.length > 0;
}
