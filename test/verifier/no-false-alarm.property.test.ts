import { verifyWindow } from "@palimpsest/verifier";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimHistory } from "../support/scenarios/claim-history.ts";
import { randomHistory } from "../support/verifier/histories.ts";

/* A verifier that cries wolf is switched off. PALIMPSEST_LONG: 25 times as many histories. */

const HISTORIES = process.env.PALIMPSEST_LONG === undefined ? 400 : 10_000;
const LENGTH = 40;

describe("the verifier", () => {
  it(`says of ${HISTORIES} random valid histories that they hold`, async () => {
    let shown = 0;
    for (let seed = 1; seed <= HISTORIES; seed += 1) {
      const { log } = await randomHistory(seed, LENGTH);
      const { status, findings, ...report } = await verifyWindow(log, "w");
      expect({ seed, status, findings }).toEqual({ seed, status: "holds", findings: [] });
      if (report.shown === "checked") shown += 1;
    }
    // The histories are worth something: most of them were rendered.
    expect(shown).toBeGreaterThan(HISTORIES / 2);
  });

  it("says of histories of claims, rendered after each move, that they hold", async () => {
    const dice = fc.array(fc.nat({ max: 1_000_000 }), {
      minLength: 40,
      maxLength: 160,
      size: "max",
    });
    const property = fc.asyncProperty(dice, async (values) => {
      const { log } = await claimHistory(values, 45, async (w) => {
        await w.accepts({ command: "render" });
      });
      const { status, findings, shown } = await verifyWindow(log, "w");
      expect({ status, findings, shown }).toEqual({
        status: "holds",
        findings: [],
        shown: "checked",
      });
    });
    await fc.assert(property, { numRuns: HISTORIES / 20 });
  });
});
