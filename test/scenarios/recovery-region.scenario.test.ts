import type { PruningCandidate } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { admit, evict, propose, settle, undo } from "../support/scenarios/commands.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

/** s1 and s2 in view, s0 evicted by e1, whose record names it. */
async function givenRecord(store: StoreKind): Promise<Story> {
  const w = await given(store);
  await w.holds("s0", "s1", "s2");
  await w.accepts(evict("e1", ["s0"]));
  return w;
}

describe.each(stores)("the recovery region on $name", (store) => {
  it.each<readonly [PruningCandidate, string]>([
    ["undo:e1", "nothing that a pruner may know of"],
    [" UNDO:e1", "nothing that a pruner may know of"],
    ["s0", "a span out of view"],
    ["__proto__", "nothing that a pruner may know of"],
    ["e1", "an edit and its recovery record"],
    [{ consumes: ["s2", "e1"], content: "" }, "an edit and its recovery record"],
    [{ consumes: ["s0"], content: "" }, "a span out of view"],
  ])("the recovery region named: %j beside a live span refuses all of it", async (one, what) => {
    const w = await givenRecord(store);
    await w.accepts(propose("q1", ["s1", one], { by: MODEL }));
    const command = settle("q1", { by: HUMAN });
    expect(await w.refusesLogged(command, ["recovery-region-addressed"])).toMatchObject([{ what }]);
    const settled = (await w.again().history()).at(-1);
    expect(settled?.data).toMatchObject({
      proposalId: "q1",
      outcome: "refused",
      retained: [],
      refusals: [{ code: "recovery-region-addressed", what }],
    });
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s0", "s1", "s2"]);
  });

  it("the recovery region named: a long id is told by its first characters, none cut in two", async () => {
    const w = await givenRecord(store);
    await w.accepts(propose("q1", [`${"a".repeat(79)}😀`]));
    await w.refusesLogged(settle("q1", { by: HUMAN }), ["recovery-region-addressed"]);
    const settled = (await w.history()).at(-1);
    expect(settled?.data).toMatchObject({ refusals: [{ candidate: "a".repeat(79) }] });
  });

  it("the recovery region named: unattended and declining change nothing of it", async () => {
    const w = await givenRecord(store);
    await w.accepts(propose("q1", ["s1", "e1"]));
    await w.refusesLogged(settle("q1", { unattended: true }), ["recovery-region-addressed"]);
    await w.refuses(settle("q1", { by: HUMAN }), "stale-proposal");
    await w.accepts(propose("q2", ["e1"]));
    await w.accepts(settle("q2", { by: HUMAN, decision: "refuse" }));
    expect((await w.view()).ledger).toMatchObject({ edits: 1, records: 1 });
  });

  it("the recovery region named: direct edits have no name for a record either", async () => {
    const w = await givenRecord(store);
    await w.refuses(evict("e2", ["e1"]), "unknown-span", { spanId: "e1" });
    await w.refuses(evict("e2", ["s1", "s0"]), "span-not-live", { spanId: "s0" });
    await w.refuses({ command: "recall", spanId: "e1" }, "unknown-span");
  });

  it("a record that points nowhere: what a prune took and the store lost is told", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "x".repeat(400) }));
    await w.accepts(admit("s2", { content: "y".repeat(400) }));
    await w.prunes(["s1", { consumes: ["s2"], content: "saved to archive/s2" }]);
    const damaged = w.through(damagedLog(w.log));
    await damaged.live();
    damaged.log.lose(2);
    expect(await damaged.word("e1")).toBe("reversible");
    expect(await damaged.word("e2")).toBe("irreversible");
    await damaged.refuses(undo("e2"), "irreversible-edit", { spanId: "s2", revision: 2 });
    await damaged.accepts(undo("e1"));
    expect(await damaged.live()).toEqual(["s1", "s7"]);
  });

  it("cleared without a word: a prune leaves a gap with a pointer", async () => {
    const w = await givenRecord(store);
    await w.prunes(["s1"]);
    expect((await w.view()).rendered).toBe(
      [
        "::gap spans 2 edits 2: e1 e2 (out of view; undo an edit to see its spans)",
        "::span s2 user text",
        "text of s2",
        "::ledger edits 2, records 2, 2 spans out of view",
        "",
      ].join("\n"),
    );
  });

  it("a retry of the same range: a settlement sent again is the same settlement", async () => {
    const w = await givenRecord(store);
    const both = propose("q1", ["s1"], { commandId: "propose" });
    const commit = settle("q1", { by: HUMAN, commandId: "settle" });
    const [proposed, settled] = [await w.accepts(both), await w.accepts(commit)];
    await w.holds("later");
    expect(await w.again().send(both)).toEqual(proposed);
    expect(await w.again().send(commit)).toEqual(settled);
    expect((await w.view()).ledger.edits).toBe(2);
  });
});
