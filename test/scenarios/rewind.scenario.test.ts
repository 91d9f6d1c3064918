import { Window } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { written } from "../support/answers.ts";
import {
  admit,
  batch,
  callSpan,
  evict,
  redo,
  resultSpan,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

/** A history with every verb in it; gives the append boundaries. */
async function everyVerb(w: Story): Promise<number[]> {
  const boundaries = [await w.head()];
  for (const command of [
    admit("s1"),
    batch([admit("s2"), admit("s3")]),
    rewrite("e1", ["s1", "s2"], "p1"),
    callSpan("c"),
    resultSpan("c"),
    evict("e2", ["s3"]),
    undo("e1", { as: "e3" }),
    rewrite("e4", ["s2"], "p2"),
    redo("e3", { as: "never" }),
    rewind(3, { as: "e5" }),
    { command: "recall", spanId: "p1", as: "r1" },
    undo("e5", { as: "e6" }),
    batch([evict("e7", ["r1"]), rewrite("e8", ["p2"], "p3")]),
    undo("e4", { as: "e9", strategy: "cascade" }),
  ]) {
    const answer = written(await w.send(command));
    if (answer.outcome === "accepted") boundaries.push(answer.revision);
  }
  return boundaries;
}

describe.each(stores)("rewind on $name", (store) => {
  it("a rewind is exact: to every boundary of a history with every verb", async () => {
    const w = await given(store);
    const boundaries = await everyVerb(w);
    const refused: number[] = [];
    for (const boundary of boundaries) {
      const { spans, gaps, tokens } = await w.view(boundary);
      const answer = await w.send(rewind(boundary));
      if (answer.outcome === "refused") refused.push(boundary);
      else expect(await w.again().view()).toMatchObject({ spans, gaps, tokens });
    }
    // The one that lies between the call and its result.
    expect(refused).toEqual([6]);
  });

  it("a rewind can be undone: from every boundary back to the same state", async () => {
    const w = await given(store);
    for (const boundary of await everyVerb(w)) {
      const before = await w.state();
      const editCount = (await w.statuses()).length;
      const answer = await w.send(rewind(boundary, { as: `r${boundary}` }));
      if (answer.outcome !== "accepted") continue;
      await w.accepts(undo(`r${boundary}`));
      const { effects, ...after } = (await w.state()) as { effects: unknown[] };
      expect({ ...after, effects: effects.slice(0, editCount) }).toEqual(before);
    }
  });

  it("a rewind built upon: what came beside its spans does not hold it back", async () => {
    const w = await given(store);
    await w.holds("s1", "s2", "s3");
    await w.accepts(rewind(2, { as: "e1" }));
    await w.accepts(rewrite("e2", ["s1", "s2"], "p"));
    // e1 wrote the mark of s3 only: it is still as it left it.
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["p", "s3"]);
  });

  it.each([
    ["a rewrite", rewrite("e3", ["s1"], "p")],
    ["an evict", evict("e3", ["s1"])],
    ["another rewind", rewind(0, { as: "e3" })],
  ])("a rewind built upon: %s in its spans; undo names where to rewind to", async (_, later) => {
    const w = await given(store);
    await w.holds("s1");
    const { revision } = await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(1, { as: "e2" }));
    await w.accepts(later);
    await w.refuses(undo("e2"), "superseded", { editId: "e2", rewindTo: revision });
    await w.refuses(undo("e2", { strategy: "cascade" }), "superseded", { rewindTo: revision });
    expect(await w.word("e2")).toBe("superseded");
    await w.send(rewind(revision));
    expect(await w.contents()).toEqual(await w.contents(revision));
  });

  it("a rewind built upon is so again where a rewind leads back to it", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(1, { as: "e2" }));
    const { revision: applied } = await w.accepts(rewrite("e3", ["s1"], "p"));
    await w.accepts(undo("e3"));
    await w.accepts(undo("e2"));
    expect(await w.word("e2")).toBe("undone");
    await w.accepts(rewind(applied));
    expect(await w.word("e2")).toBe("superseded");
    await w.refuses(undo("e2"), "superseded", { editId: "e2", rewindTo: 3 });
  });

  it("a rewind built upon: undo names where a rewind may go when a call got its result since", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("c"));
    const { revision: usual } = await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(2, { as: "e2" }));
    await w.accepts(rewrite("e3", ["s1"], "p"));
    // A batch is refused as a whole, and with it the result.
    const late = batch([resultSpan("c"), undo("e2")]);
    await w.refuses(late, "superseded", { step: 1, rewindTo: usual });
    const { revision: answered } = await w.accepts(resultSpan("c"));
    await w.holds("s2");
    await w.refuses(rewind(usual), "bond-broken", { call: "c" });
    // Between the call and its result there is nowhere to go to.
    await w.refuses(undo("e2"), "superseded", { editId: "e2", rewindTo: 1 });
    await w.accepts(rewind(answered, { as: "e4" }));
    await w.refuses(redo("e2"), "superseded", { editId: "e2", rewindTo: 1 });
    await w.accepts(rewind(1));
    expect(await w.live()).toEqual(["s1"]);
  });

  it("a rewind built upon: what the model is told leaves pinned spans where they are", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(1, { as: "e2" }));
    await w.accepts(rewrite("e3", ["s1"], "p"));
    const { revision } = await w.accepts(admit("s2", { pinned: true }));
    await w.holds("s3");
    await w.refuses(undo("e2"), "superseded", { rewindTo: 3 });
    await w.refuses(undo("e2", { by: MODEL }), "superseded", { rewindTo: revision });
    await w.accepts(rewind(revision, { by: MODEL }));
  });

  it("a rewind built upon: what was undone before is not built upon, and stays undone", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(rewind(1, { as: "e1" }));
    await w.accepts(undo("e1", { as: "e2" }));
    await w.accepts(evict("e3", ["s2"]));
    expect(await w.effects()).toEqual({ e1: "undone", e2: "stale", e3: "applied" });
    await w.refuses(undo("e1"), "already-undone", { editId: "e1" });
    await w.refuses(redo("e1"), "stale-edit", { blockers: ["e3"] });
    await w.refuses(undo("e2"), "stale-edit", { blockers: ["e3"] });
    // Where everything is again as the rewind left it, it is in force again.
    await w.accepts(rewind(1));
    expect(await w.effects()).toMatchObject({ e1: "applied", e2: "undone" });
  });

  it("a rewind without a change: a gap that would close is a change", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(evict("e1", ["s2"]));
    await w.accepts(rewind(1, { as: "e2" }));
    expect(await w.live()).toEqual(["s1"]);
    expect(await w.effects()).toEqual({ e1: "undone", e2: "applied" });
    await w.leaves(rewind(1));
  });

  it("a rewind without a change: the same live set is nothing to do, no ordinal is used", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.leaves(rewind(1));
    await w.accepts({ command: "markRead", spanIds: ["s1"] });
    await w.leaves(rewind(1));
    await w.leaves(batch([rewind(2), rewind(1)]));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1"));
    await w.leaves(rewind(1));
    await w.accepts(evict("e3", ["s1"]));
    expect((await w.statuses()).map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
  });

  it("the bounds of a rewind: negative, future and mid-append targets; 0 is empty", async () => {
    const w = await given(store);
    await w.accepts(batch([admit("s1"), admit("s2")]));
    await w.accepts(evict("e1", ["s1"]));
    await w.refuses(rewind(-1), "out-of-range", { to: -1, last: 4 });
    await w.refuses(rewind(5), "out-of-range", { to: 5, last: 4 });
    await w.refuses(rewind(Number.MAX_SAFE_INTEGER), "out-of-range");
    await w.refuses(rewind(1), "out-of-range", { to: 1, nearest: 0 });
    await w.refuses(rewind(3), "out-of-range", { to: 3, nearest: 2 });
    await w.accepts(rewind(0));
    expect(await w.live()).toEqual([]);
    await w.refuses(rewind(1.5), "invalid-command");
  });

  it("the bounds of a rewind: 0 is the empty window when it was opened by a batch", async () => {
    const w = await given(store);
    const other = new Window(w.log, "v");
    await other.execute(batch([{ command: "openWindow" }, admit("s1")]));
    expect(await other.execute(rewind(0))).toMatchObject({ outcome: "accepted", left: ["s1"] });
    expect((await other.show()).spans).toEqual([]);
  });

  it("the bounds of a rewind: a rewind in a batch cannot go into its own append", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.refuses(batch([admit("s2"), admit("s3"), rewind(2)]), "out-of-range", { step: 2 });
  });

  it("a rewind past an open call: refused, unless the call is abandoned with it", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("c"));
    await w.refuses(rewind(1), "open-call", { calls: ["c"] });
    await w.accepts(rewind(1, { abandonOpenCalls: true, as: "e1" }));
    expect(await w.live()).toEqual(["s1"]);
    await w.refuses(resultSpan("c"), "call-not-live", { call: "c" });
    const edit = (await w.history()).find(({ type }) => type === "WindowEdited");
    expect(edit?.data).toEqual({
      editId: "e1",
      ordinal: 1,
      verb: "rewind",
      to: 1,
      abandoned: ["c"],
    });
  });

  it("a rewind past an open call: the undo of that rewind takes the result again", async () => {
    const w = await given(store);
    await w.accepts(batch([callSpan("a"), callSpan("b")]));
    await w.accepts(resultSpan("a"));
    await w.refuses(rewind(0), "open-call", { calls: ["b"] });
    await w.accepts(rewind(0, { abandonOpenCalls: true, as: "e1" }));
    await w.again().refuses(resultSpan("b"), "call-not-live");
    await w.accepts(undo("e1"));
    await w.refuses(evict("e3", ["call:b"]), "open-call");
    await w.accepts(resultSpan("b"));
    expect(await w.live()).toEqual(["call:a", "call:b", "result:a", "result:b"]);
  });

  it("a rewind between call and result: the nearest legal revision is named", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("c"));
    await w.accepts(resultSpan("c"));
    const { nearest } = await w.refuses(rewind(2), "bond-broken", { call: "c" });
    expect([1, 3]).toContain(nearest);
    await w.holds("s2");
    await w.accepts(rewind(nearest as number));
    expect(await w.live()).toEqual(await w.live(nearest as number));
  });

  it("a rewind between call and result: in a batch, the bond holds when the append ends", async () => {
    const w = await given(store);
    await w.holds("s1");
    const { revision: called } = await w.accepts(callSpan("c"));
    await w.accepts(resultSpan("c"));
    const taken = evict("e2", ["call:c"]);
    const broken = { call: "c", nearest: 1 };
    await w.refuses(batch([admit("s2"), rewind(called)]), "bond-broken", { ...broken, step: 1 });
    await w.refuses(batch([rewind(called), admit("s2")]), "bond-broken", { call: "c" });
    await w.accepts(batch([rewind(called, { as: "e1" }), taken]));
    expect(await w.live()).toEqual(["s1"]);
    await w.refuses(undo("e2"), "bond-broken", { call: "c" });
    await w.accepts(batch([undo("e2"), undo("e1")]));
    expect(await w.live()).toEqual(["s1", "call:c", "result:c"]);
  });

  it("a rewind between call and result: between parallel calls, and in a group", async () => {
    const w = await given(store);
    await w.accepts(batch([callSpan("a"), callSpan("b")]));
    await w.accepts(resultSpan("a"));
    await w.accepts(resultSpan("b"));
    await w.refuses(rewind(2), "bond-broken", { call: "a", nearest: 0 });
    await w.refuses(rewind(3), "bond-broken", { call: "b", nearest: 4 });
    await w.accepts(admit("g1", { group: "g" }));
    await w.accepts(admit("g2", { group: "g" }));
    await w.refuses(rewind(5), "bond-broken", { group: "g" });
    await w.accepts(rewind(4));
  });
});
