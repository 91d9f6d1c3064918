import { seededRandom } from "@palimpsest/core/testing";
import { expect, it } from "vitest";
import { admit, batch, fact, propose, settle } from "../support/scenarios/commands.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { sqliteStore } from "../support/scenarios/stores.ts";
import { toolOutput } from "../support/scenarios/transcript.ts";

/*
 * Times are printed. What is asserted is ten times what issue 3 asks for, so that a quadratic
 * algorithm is found and a busy machine is not.
 */

async function timed<T>(what: string, work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  const start = performance.now();
  const value = await work();
  const ms = performance.now() - start;
  console.log(`${what}: ${ms.toFixed(0)} ms`);
  return { value, ms };
}

it("settles 5,000 candidates in a window of 10,000 live spans", async () => {
  const w = await given(sqliteStore);
  const ids = Array.from({ length: 10_000 }, (_, i) => `s${i}`);
  const content = "x".repeat(200);
  await w.accepts(batch(ids.map((id) => admit(id, { content }))));
  for (let i = 0; i < 40; i += 1) {
    await w.accepts(fact(`c${i}`, { carrier: `s${i}`, evidence: true }));
  }
  const candidates = ids.filter((_, i) => i % 2 === 0);
  await w.accepts(propose("q1", candidates, { by: MODEL }));
  const { value, ms } = await timed("settling 5,000 of 10,000", () =>
    w.accepts(settle("q1", { by: HUMAN })),
  );
  expect(value.left).toEqual(candidates);
  expect(ms).toBeLessThan(1_000);
});

it("prunes 340,000 tokens to 60,000, from proposal to append", async () => {
  const w = await given(sqliteStore, { budgetTokens: 400_000 });
  const document = {
    name: "recency × frequency",
    targetTokens: 60_000,
    rank: "double(span.reads + 1) / double(span.idle + 1)",
  };
  await w.holds("first");
  await w.accepts({ command: "authorPolicy", policyId: "p1", document, by: MODEL });
  await w.accepts({ command: "openEpoch" });
  const random = seededRandom(7);
  const outputs = Array.from({ length: 1_700 }, (_, i) =>
    admit(`s${i}`, { origin: "tool", content: toolOutput(random, 200) }),
  );
  await w.accepts(batch(outputs));
  await w.accepts({ command: "openEpoch", policyId: "p1" });
  expect((await w.view()).tokens).toBeGreaterThan(340_000);
  const { value, ms } = await timed("pruning 340,000 tokens to 60,000", async () => {
    await w.accepts({ command: "proposePruning", proposalId: "q1" });
    return w.accepts(settle("q1", { by: HUMAN }));
  });
  expect(value).toMatchObject({ settlement: "committed", retained: [] });
  expect(value.tokens).toBeLessThanOrEqual(60_000);
  expect(ms).toBeLessThan(10_000);
});
