import { countSteps, seededRandom, startCounting } from "@palimpsest/core/testing";
import { beforeAll, expect, it } from "vitest";
import { admit, batch, fact, propose, settle } from "../support/scenarios/commands.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { sqliteStore } from "../support/scenarios/stores.ts";
import { toolOutput } from "../support/scenarios/transcript.ts";

beforeAll(startCounting);

/** Steps to settle every other span of a window of so many live ones. */
async function stepsToSettle(spans: number): Promise<number> {
  const w = await given(sqliteStore);
  const ids = Array.from({ length: spans }, (_, i) => `s${i}`);
  const content = "x".repeat(200);
  await w.accepts(batch(ids.map((id) => admit(id, { content }))));
  for (let i = 0; i < 40; i += 1) {
    await w.accepts(fact(`c${i}`, { carrier: `s${i}`, evidence: true }));
  }
  const candidates = ids.filter((_, i) => i % 2 === 0);
  await w.accepts(propose("q1", candidates, { by: MODEL }));
  const { steps, value } = await countSteps(() => w.accepts(settle("q1", { by: HUMAN })));
  expect(value.left).toEqual(candidates);
  return steps;
}

it("settles half of a window in four times the steps where it holds four times as much", async () => {
  expect(await stepsToSettle(4_000)).toBeLessThan(5 * (await stepsToSettle(1_000)));
});

/** Steps from proposal to append, for so many tool outputs of 200 tokens each. */
async function stepsToPrune(outputs: number, targetTokens: number): Promise<number> {
  const w = await given(sqliteStore, { budgetTokens: 400_000 });
  const document = {
    name: "recency × frequency",
    targetTokens,
    rank: "double(span.reads + 1) / double(span.idle + 1)",
  };
  await w.holds("first");
  await w.accepts({ command: "authorPolicy", policyId: "p1", document, by: MODEL });
  await w.accepts({ command: "openEpoch" });
  const random = seededRandom(7);
  const admitted = Array.from({ length: outputs }, (_, i) =>
    admit(`s${i}`, { origin: "tool", content: toolOutput(random, 200) }),
  );
  await w.accepts(batch(admitted));
  await w.accepts({ command: "openEpoch", policyId: "p1" });
  expect((await w.view()).tokens).toBeGreaterThan(200 * outputs);
  const { steps, value } = await countSteps(async () => {
    await w.accepts({ command: "proposePruning", proposalId: "q1" });
    return w.accepts(settle("q1", { by: HUMAN }));
  });
  expect(value).toMatchObject({ settlement: "committed", retained: [] });
  expect(value.tokens).toBeLessThanOrEqual(targetTokens);
  return steps;
}

it("prunes 340,000 tokens to 60,000 in four times the steps of a quarter of them", async () => {
  const quarter = await stepsToPrune(425, 15_000);
  expect(await stepsToPrune(1_700, 60_000)).toBeLessThan(5 * quarter);
});
