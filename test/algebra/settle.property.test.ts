import type { Json, PruningCandidate } from "@palimpsest/core";
import { parsePrincipal, utf8Div4 } from "@palimpsest/core";
import type { Decision } from "@palimpsest/core/decide";
import { decide } from "@palimpsest/core/decide";
import { replay } from "@palimpsest/core/host";
import type { WindowState } from "@palimpsest/core/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Dice } from "../support/algebra/dice.ts";
import {
  admit,
  callSpan,
  evict,
  fact,
  propose,
  resultSpan,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HUMAN } from "../support/scenarios/given.ts";
import { memoryStore } from "../support/scenarios/stores.ts";

const dice = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 60, maxLength: 120, size: "max" });
const numRuns = process.env.PALIMPSEST_LONG === undefined ? 60 : 5_000;

/** Spans of every kind that is bound to others or has a reason to stay. */
async function someWindow(roll: Dice): Promise<Story> {
  const w = await given(memoryStore);
  for (let i = 0; i < 6 + roll.roll(10); i += 1) {
    const content = "words ".repeat(10 + roll.roll(30));
    const group = roll.chance(30) ? { group: `g${roll.roll(2)}` } : {};
    const pinned = { pinned: roll.chance(10), sealed: roll.chance(15) };
    const call = `c${i}`;
    await w.send(
      roll.chance(30)
        ? callSpan(call, { content, ...group })
        : admit(`s${i}`, {
            content,
            ...group,
            ...pinned,
          }),
    );
    if (roll.chance(60)) await w.send(resultSpan(call, { content }));
    if (roll.chance(20)) await w.send(fact(`f${i}`, { carrier: `s${i}`, evidence: true }));
  }
  const live = await w.live();
  await w.send(
    evict(
      "e1",
      live.filter(() => roll.chance(20)),
    ),
  );
  if (roll.chance(50)) await w.send(undo("e1"));
  return w;
}

/** Live spans, alone and in replacements of neighbours, some of them twice. */
function someCandidates(roll: Dice, live: readonly string[]): PruningCandidate[] {
  const candidates: PruningCandidate[] = live.filter(() => roll.chance(50));
  for (let at = 0; at < live.length; at += 4) {
    const consumes = live.slice(at, at + 1 + roll.roll(3));
    if (roll.chance(25)) candidates.push({ consumes, content: `sum ${at}` });
  }
  return roll.chance(20) ? [...candidates, ...candidates.slice(0, 1)] : candidates;
}

function shuffled<T>(roll: Dice, list: readonly T[]): T[] {
  const rest = [...list];
  return list.flatMap(() => rest.splice(roll.roll(rest.length), 1));
}

const idsIn = (candidates: readonly PruningCandidate[]) =>
  new Set(candidates.flatMap((one) => (typeof one === "string" ? [one] : one.consumes)));

function settleOn(state: WindowState, proposalId: string): Decision {
  const by = parsePrincipal(HUMAN);
  if (by === undefined) throw new Error(`${HUMAN} is not a principal`);
  const command = { command: "settlePruning", proposalId } as const;
  return decide(state, [{ command, by }], { tokenizer: utf8Div4, facts: new Map() });
}

/** What a decision would take out of view, by what stands for it, and what it retains and why. */
function effectOf(decision: Decision): Json {
  if (decision.kind !== "append") throw new Error(`decided ${decision.kind}`);
  const taken: Record<string, string[]> = {};
  let consumed: string[] = [];
  let rest: Json = null;
  for (const { type, data } of decision.events) {
    if (type === "RecoveryRecorded") consumed = data.consumed.map(({ spanId }) => spanId).sort();
    if (type === "WindowEdited") taken[String(data.creates?.content ?? "nothing")] = consumed;
    if (type !== "PruningSettled") continue;
    const { outcome, retained, refusals } = data;
    const why = retained.map((one) => `${one.spanId} ${one.why}`).sort();
    rest = { outcome, why, codes: refusals.map(({ code }) => code).sort() };
  }
  return { taken, rest };
}

describe("any settlement", () => {
  it("a settlement never widens: it takes only what was proposed", async () => {
    const outcomes = new Set<string>();
    const property = fc.asyncProperty(dice, async (values) => {
      const roll = new Dice(values);
      const w = await someWindow(roll);
      const before = await w.live();
      const candidates = someCandidates(roll, before);
      const answer = await w.prunes(candidates);
      const settlement = answer.outcome === "accepted" ? answer.settlement : undefined;
      outcomes.add(settlement ?? answer.outcome);
      const after = new Set(await w.live());
      const gone = before.filter((id) => !after.has(id));
      const proposed = idsIn(candidates);
      expect(gone.filter((id) => !proposed.has(id))).toEqual([]);
      if (answer.outcome === "refused") expect(gone).toEqual([]);
      if (answer.outcome !== "accepted" || settlement !== "committed") return;
      const kept = (answer.retained ?? []).map(({ spanId }) => spanId);
      expect([...gone, ...kept].sort()).toEqual([...proposed].sort());
      expect(answer.left).toEqual(gone);
      const { tokens } = await w.view();
      expect(tokens).toBeLessThan((await w.view((await w.head()) - answer.events.length)).tokens);
    });
    await fc.assert(property, { numRuns });
    expect([...outcomes].sort()).toEqual(["committed", "empty", "refused"]);
  });

  it("a settlement never widens: it is the same in whatever order the candidates come", async () => {
    const property = fc.asyncProperty(dice, async (values) => {
      const roll = new Dice(values);
      const w = await someWindow(roll);
      const candidates = someCandidates(roll, await w.live());
      await w.accepts(propose("q1", candidates));
      await w.accepts(propose("q2", shuffled(roll, candidates)));
      await w.accepts(propose("q3", [...candidates].reverse()));
      const state = await replay(w.log, "w");
      const [one, ...others] = ["q1", "q2", "q3"].map((id) => effectOf(settleOn(state, id)));
      for (const other of others) expect(other).toEqual(one);
    });
    await fc.assert(property, { numRuns });
  });

  it("a second pass loses nothing: settled again, what is left over is empty or foreign", async () => {
    const property = fc.asyncProperty(dice, async (values) => {
      const roll = new Dice(values);
      const w = await someWindow(roll);
      const candidates = [...idsIn(someCandidates(roll, await w.live()))];
      const first = await w.prunes(candidates);
      if (first.outcome !== "accepted") return;
      const contents = await w.contents();
      const left = new Set(first.left);
      const again = await w.prunes(candidates.filter((id) => !left.has(id)));
      expect(again).toMatchObject({ settlement: "empty" });
      await w.send(settle("q1", { by: HUMAN }));
      expect(await w.contents()).toEqual(contents);
    });
    await fc.assert(property, { numRuns });
  });
});
