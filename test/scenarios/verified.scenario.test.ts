import { memoryHeads, startVerifier } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { verdict } from "../support/projections/verdicts.ts";
import { admit, evict } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";
import { KEY } from "../support/verifier/bases.ts";

/** The verifier reads everything, says what it found, and is gone. */
async function isVerified({ log }: Story): Promise<void> {
  const running = startVerifier(log, { key: KEY, heads: memoryHeads(), quietMs: 0 });
  await running.idle();
  await running.stop();
}

const verified = async (w: Story, at?: number) => (await w.view(at)).ledger.verified;

describe.each(stores)("how far a window is verified, on $name", (store) => {
  it("a verdict is bound to its head: it is shown beside the window, and not in its bytes", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(evict("e1", ["s1"]));
    const before = await w.view();
    expect(before.ledger.verified).toBe(null);
    await isVerified(w);
    expect(await w.view()).toEqual({ ...before, ledger: { ...before.ledger, verified: 4 } });
    expect(await w.again().view()).toEqual(await w.view());
  });

  it("a verdict is bound to its head: it says nothing of what was appended since", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await isVerified(w);
    await w.accepts(admit("s3"));
    expect(await verified(w)).toBe(2);
    expect([await verified(w, 3), await verified(w, 2), await verified(w, 1)]).toEqual([2, 2, 1]);
  });

  it("a verdict is bound to its head: nothing is verified after a violation", async () => {
    const w = await given(store);
    await w.holds("s1");
    await isVerified(w);
    expect(await verified(w)).toBe(1);
    const violated = verdict("VerdictIssued", { window: "w", size: 2, status: "violated" });
    await w.log.append("verdict-w", [violated], "any");
    expect([await verified(w), await verified(w.again(), 1)]).toEqual([null, null]);
  });
});
