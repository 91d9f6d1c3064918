import type { ClaimStatus } from "@palimpsest/core";
import { parseRendering } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import { ABSENT, LIVE, markOf } from "@palimpsest/core/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { claimHistory } from "../support/scenarios/claim-history.ts";
import type { MarkOfSpan } from "../support/scenarios/claim-reference.ts";
import { referenceClaims } from "../support/scenarios/claim-reference.ts";
import type { Story } from "../support/scenarios/given.ts";

const dice = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 40, maxLength: 160, size: "max" });
const MOVES = 45;
const numRuns = process.env.PALIMPSEST_LONG === undefined ? 30 : 2_000;

async function marksOf(w: Story, at?: number): Promise<MarkOfSpan> {
  const state = await replay(w.log, "w", { ...(at !== undefined && { to: at }) });
  return (spanId) => {
    const mark = markOf(state, state.spans.indexOf(spanId) ?? -1);
    return mark === LIVE ? "live" : mark === ABSENT ? "absent" : "consumed";
  };
}

/** What the window says of its claims, in the words of the reference. */
async function said(w: Story, at?: number) {
  const [claims, { ledger }] = [await w.window.claims(at), await w.view(at)];
  const shown = new Set(ledger.claims.map(({ claimId }) => claimId));
  return claims.map(({ claimId, standing, evidence, protected: kept, carriers, conflicts }) => ({
    claimId,
    standing,
    evidence,
    protected: kept,
    carriers: carriers.toSorted(),
    conflicts: conflicts.toSorted(),
    shown: shown.has(claimId),
  }));
}

async function reference(w: Story, at = Number.POSITIVE_INFINITY) {
  const events = (await w.history()).filter(({ revision }) => revision <= at);
  const marks = await marksOf(w, Number.isFinite(at) ? at : undefined);
  return referenceClaims(events, marks).map(({ carriers, conflicts, ...rest }) => ({
    ...rest,
    carriers: [...carriers].sort(),
    conflicts: [...conflicts].sort(),
  }));
}

function counters(claims: readonly ClaimStatus[]) {
  const t = claims.filter(({ standing }) => standing === "retracted").length;
  return { d: claims.length - t, t };
}

describe("any history of claims", () => {
  it("has the standings, protections, carriers and ledger of the reference", async () => {
    const property = fc.asyncProperty(dice, fc.nat(), async (values, pick) => {
      const w = await claimHistory(values, MOVES);
      expect(await said(w)).toEqual(await reference(w));
      expect(await said(w.again())).toEqual(await said(w));
      const at = pick % ((await w.head()) + 1);
      expect(await said(w, at)).toEqual(await reference(w, at));
    });
    await fc.assert(property, { numRuns });
  });

  it("never lets t fall, nor d + t, and stands the same from scratch after each move", async () => {
    const property = fc.asyncProperty(dice, async (values) => {
      let before = { d: 0, t: 0 };
      await claimHistory(values, MOVES, async (w) => {
        const claims = await w.window.claims();
        const now = counters(claims);
        expect(now.t).toBeGreaterThanOrEqual(before.t);
        expect(now.d + now.t).toBeGreaterThanOrEqual(before.d + before.t);
        before = now;
        expect(claims).toEqual(await w.again().window.claims());
      });
    });
    await fc.assert(property, { numRuns: numRuns / 2 });
  });

  it("never loses a protected claim: a live span carries it, or it has its line", async () => {
    const property = fc.asyncProperty(dice, async (values) => {
      const w = await claimHistory(values, MOVES);
      const marks = await marksOf(w);
      const { claims } = parseRendering((await w.view()).rendered);
      const lines = new Set(claims.map(({ claimId }) => claimId));
      for (const claim of await w.window.claims()) {
        if (!claim.protected) continue;
        if (claim.standing === "withdrawn" && claim.conflicts.length === 0) continue;
        const carried = claim.carriers.some((id) => marks(id) === "live");
        const hasLine = lines.has(claim.claimId);
        if (claim.conflicts.length > 0 || !carried) expect([claim, hasLine]).toEqual([claim, true]);
        // What a live span carries has a line only where that span alone would mislead.
        else if (hasLine) expect(claim.standing).toBe("unverified");
      }
    });
    await fc.assert(property, { numRuns });
  });

  it("is read back from its rendering exactly, claim for claim", async () => {
    const property = fc.asyncProperty(dice, async (values) => {
      const w = await claimHistory(values, MOVES);
      const { rendered, ledger, spans } = await w.view();
      const parsed = parseRendering(rendered);
      expect(parsed.spans.map(({ spanId }) => spanId)).toEqual(spans.map(({ spanId }) => spanId));
      expect(
        parsed.claims.map(
          ({ claimId, kind, standing, by, statement, quote, contested, recall }) => ({
            claimId,
            kind,
            statement,
            quote: quote ?? null,
            standing,
            by,
            contestedBy: contested,
            recall: recall ?? null,
          }),
        ),
      ).toEqual(ledger.claims);
      for (const { claimId } of parsed.retracted) {
        expect((await w.standings())[claimId]).toBe("retracted");
      }
    });
    await fc.assert(property, { numRuns });
  });
});
