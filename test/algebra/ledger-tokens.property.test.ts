import { utf8Div4 } from "@palimpsest/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { claimHistory } from "../support/scenarios/claim-history.ts";
import type { Story } from "../support/scenarios/given.ts";

const dice = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 40, maxLength: 160, size: "max" });
const numRuns = process.env.PALIMPSEST_LONG === undefined ? 40 : 2_000;

/** What the window says that its ledger costs is what its lines cost. */
async function costsItsLines(w: Story): Promise<void> {
  const { ledger } = await w.view();
  const tokens = (await w.claimLines()).reduce((sum, line) => sum + utf8Div4.count(line), 0);
  expect(ledger.tokens).toBe(tokens);
}

it("after every command of any history, the ledger costs what its lines cost", async () => {
  const property = fc.asyncProperty(dice, async (values) => {
    await claimHistory(values, 45, costsItsLines);
  });
  await fc.assert(property, { numRuns });
});
