import type { LiveWindow } from "@palimpsest/projections";
import {
  liveWindow,
  policyHistory,
  renderedWindow,
  timeTravel,
  tokenBudget,
} from "@palimpsest/projections";
import { describe, expect, it } from "vitest";
import {
  assertClaim,
  claimsNow,
  idsOf,
  liveNow,
  now,
  standingOf,
} from "../support/projections/now.ts";
import { record, until } from "../support/projections/recorder.ts";
import { admit, evict, redo, rewind, rewrite, undo } from "../support/scenarios/commands.ts";
import { given, HUMAN } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

describe.each(stores)("algebra, seen through the projections, on $name", (store) => {
  it("a rewind is exact: the live window after a rewind is that of time travel", async () => {
    const story = await given(store);
    await story.holds("a", "b", "c");
    await story.accepts(rewrite("e1", ["a", "b"], "p"));
    const then = await story.head();
    await story.accepts(evict("e2", ["p"]));
    await story.accepts(admit("d"));
    await story.accepts(rewind(then));
    const past = await (await timeTravel(story.log, "w").at(then)).window();
    const present = await liveNow(story);
    expect(present.spans).toEqual(past.spans);
    expect(present.gaps).toEqual(past.gaps);
  });

  it("a rewind keeps the ledgers: epoch and retraction stay what they are", async () => {
    const story = await given(store);
    await story.accepts(admit("a"));
    await story.accepts(assertClaim("c", "a"));
    const first = await story.head();
    for (const id of ["b", "d"]) {
      await story.accepts(admit(id));
      await story.accepts({ command: "openEpoch", by: HUMAN });
    }
    await story.accepts({ command: "retractClaim", claimId: "c", reason: "it was wrong" });
    await story.accepts(rewind(first));
    expect((await liveNow(story)).epoch).toBe(3);
    expect((await now(story, policyHistory(story.log, "w"))).epoch).toBe(3);
    expect(standingOf(await claimsNow(story), "c")).toBe("retracted");
    const then = await timeTravel(story.log, "w").at(first);
    expect([then.policies.epoch, standingOf(then.claims, "c")]).toEqual([1, "verified"]);
  });

  it("evidence survives every verb: its quote is in the bytes after each of them", async () => {
    const story = await given(store);
    await story.accepts(admit("a", { content: "retry_budget = 3" }));
    await story.accepts(assertClaim("c", "a", { quote: "retry_budget = 3" }));
    const before = await story.head();
    const { values, subscription } = record(renderedWindow(story.log, "w"));
    for (const command of [
      rewrite("e1", ["a"], "b", "a summary"),
      evict("e2", ["b"]),
      undo("e2"),
      undo("e1"),
      redo("e1"),
      rewind(before),
      undo("e6"),
    ]) {
      await story.accepts(command);
    }
    const head = await story.head();
    await until(() => values.at(-1)?.revision === head, "the last rendering");
    expect(values.length).toBeGreaterThan(7);
    for (const { text } of values) expect(text).toContain("retry_budget = 3");
    expect((await claimsNow(story)).claims.length).toBe(1);
    subscription.unsubscribe();
  });

  it("undo of what introduced the carrier: in the ledger, and carried again", async () => {
    const story = await given(store);
    await story.accepts(admit("a"));
    await story.accepts(rewrite("e1", ["a"], "s2", "the new words"));
    await story.accepts(assertClaim("c", "s2", { quote: "the new words" }));
    const inLedger = async () => (await liveNow(story)).ledger.claims.map(({ claimId }) => claimId);
    expect(await inLedger()).toEqual([]);
    await story.accepts(undo("e1"));
    expect(await inLedger()).toEqual(["c"]);
    await story.accepts(redo("e1"));
    expect(await inLedger()).toEqual([]);
  });

  it("a decision rewound or pruned: withdrawn and back; in the ledger, in force", async () => {
    const story = await given(store);
    await story.accepts(admit("a"));
    await story.accepts(assertClaim("c", "a"));
    const before = await story.head();
    await story.accepts(admit("b"));
    const because = [{ claim: "c" }];
    await story.accepts(assertClaim("d", "b", { kind: "decision", evidence: false, because }));
    await story.accepts(rewind(before, { as: "back" }));
    expect(standingOf(await claimsNow(story), "d")).toBe("withdrawn");
    await story.accepts(undo("back"));
    expect(standingOf(await claimsNow(story), "d")).toBe("verified");
    await story.accepts(evict("e", ["b"]));
    expect(standingOf(await claimsNow(story), "d")).toBe("verified");
    const { ledger } = await liveNow(story);
    expect(ledger.claims.map(({ claimId }) => claimId)).toEqual(["d"]);
  });

  it("an undo over budget: accepted, and shown", async () => {
    const story = await given(store, { budgetTokens: 5 });
    await story.accepts(admit("a", { content: "x".repeat(16) }));
    await story.accepts(evict("e", ["a"]));
    await story.accepts(admit("b", { content: "y".repeat(12) }));
    expect((await now(story, tokenBudget(story.log, "w"))).overBudget).toBe(false);
    await story.accepts(undo("e"));
    const { tokens, budget, overBudget } = await now(story, tokenBudget(story.log, "w"));
    expect({ tokens, budget, overBudget }).toEqual({ tokens: 7, budget: 5, overBudget: true });
  });

  it("the position after a revival: what comes back stands where it stood", async () => {
    const story = await given(store);
    const { values, subscription } = record(liveWindow(story.log, "w"));
    await story.accepts(admit("s1"));
    await story.accepts(evict("e", ["s1"]));
    await story.accepts(admit("s2"));
    await story.accepts(undo("e"));
    await until(() => values.at(-1)?.revision === 6, "the undo");
    const last = values.at(-1) as LiveWindow;
    expect(idsOf(last)).toEqual(["s1", "s2"]);
    expect(last.changes).toMatchObject({ returned: ["s1"], firstChanged: 1 });
    subscription.unsubscribe();
  });
});
