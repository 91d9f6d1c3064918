import { describe, expect, it } from "vitest";
import {
  admit,
  batch,
  batchOf,
  evict,
  redo,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

describe.each(stores)("edits and batches on $name", (store) => {
  it("a verdict is bound to its head: a decision made at r is refused at r + 1", async () => {
    const w = await given(store);
    await w.holds("s1");
    const expectedRevision = await w.head();
    await w.holds("s2");
    await w.refuses(evict("e1", ["s1"], { expectedRevision }), "wrong-expected-revision", {
      expected: 1,
      actual: 2,
    });
    await w.accepts(evict("e1", ["s1"], { expectedRevision: expectedRevision + 1 }));
  });

  it("a verdict is bound to its head: for any command, and through two handles", async () => {
    const w = await given(store);
    await w.holds("s1");
    const other = w.again();
    await other.holds("s2");
    const stale = { expectedRevision: 1 };
    await w.refuses(batch([evict("e1", ["s1"])], stale), "wrong-expected-revision", { actual: 2 });
    await w.refuses(rewind(0, stale), "wrong-expected-revision");
    await w.refuses(rewind(0, { expectedRevision: "no-stream" }), "wrong-expected-revision", {
      expected: "no-stream",
      actual: 2,
    });
    await w.refuses(admit("s3", { expectedRevision: 7 }), "wrong-expected-revision");
    await w.accepts(rewind(0, { expectedRevision: "any" }));
  });

  it.each([
    { command: "show" },
    { command: "show", at: 0 },
    { command: "claims" },
    { command: "status" },
    { command: "policies" },
    { command: "history" },
    { command: "probe", editId: "e1" },
    { command: "render" },
  ])("a verdict is bound to its head: for what is only read: %j", async (read) => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    const stale = { ...read, expectedRevision: 2 };
    await w.refuses(stale, "wrong-expected-revision", { expected: 2, actual: 3 });
    for (const expectedRevision of [3, "any"]) {
      expect(await w.again().send({ ...read, expectedRevision })).not.toHaveProperty("refusals");
    }
  });

  it("a verdict is bound to its head: for what is only planned", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    const at = (expectedRevision: number) =>
      w.window.plan({ command: "evict", consumes: ["s1"], expectedRevision });
    await expect(at(1)).rejects.toMatchObject({ code: "wrong-expected-revision" });
    expect(await at(2)).toMatchObject({ leave: ["s1"] });
  });

  it("twins of equal content: evicting one leaves the other", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "same" }));
    await w.accepts(admit("s2", { content: "same" }));
    await w.accepts(evict("e1", ["s1"]));
    expect(await w.contents()).toEqual([["s2", "same"]]);
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s1", "s2"]);
  });

  it("twins of equal content: rewritten to the same text they are still two spans", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(rewrite("e1", ["s1"], "p1", "same"));
    await w.accepts(rewrite("e2", ["s2"], "p2", "same"));
    await w.accepts(evict("e3", ["p2"]));
    await w.accepts(undo("e1"));
    expect(await w.again().live()).toEqual(["s1"]);
    await w.accepts(batch([undo("e3"), redo("e1")]));
    expect(await w.contents()).toEqual([
      ["p1", "same"],
      ["p2", "same"],
    ]);
  });

  it("a summary is contiguous: a live span in between is refused", async () => {
    const w = await given(store);
    await w.holds("q1", "a1", "q2");
    await w.refuses(rewrite("e1", ["q1", "q2"], "sum"), "not-contiguous", { between: 1 });
    await w.refuses(rewrite("e1", ["q2", "q1"], "sum"), "not-contiguous", { between: 1 });
  });

  it("a summary is contiguous: gaps are ignored, the order of ids does not matter", async () => {
    const w = await given(store);
    await w.holds("q1", "a1", "q2", "a2");
    await w.accepts(evict("e1", ["a1"]));
    await w.accepts(rewrite("e2", ["q2", "q1"], "sum"));
    expect(await w.live()).toEqual(["sum", "a2"]);
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["sum", "a1", "a2"]);
    await w.refuses(rewrite("e4", ["sum", "a2"], "all"), "not-contiguous", { between: 1 });
    await w.accepts(rewrite("e4", ["sum", "a1", "a2"], "all"));
    const { spans } = await w.view();
    expect(spans).toMatchObject([{ spanId: "all", position: 1, covers: ["sum", "a1", "a2"] }]);
  });

  it("a summary is contiguous: seen after the earlier commands of a batch", async () => {
    const w = await given(store);
    await w.holds("q1", "a1", "q2");
    await w.accepts(batch([evict("e1", ["a1"]), rewrite("e2", ["q1", "q2"], "sum")]));
    await w.refuses(
      batch([undo("e1"), rewrite("e4", ["sum"], "s2", "x"), undo("e1")]),
      "already-undone",
    );
    expect(await w.live()).toEqual(["sum"]);
  });

  const nine = Array.from({ length: 9 }, (_, i) => admit(`n${i}`));
  it.each([
    ["unknown span", evict("e1", ["nobody"]), "unknown-span"],
    ["no command", { command: "evict", consumes: [] }, "invalid-command"],
    ["not allowed", admit("x", { by: MODEL }), "permission-denied"],
    ["not vouched for", admit("x", { by: "human/else" }), "permission-denied"],
    ["an id that is taken", admit("n3"), "id-taken"],
    ["a read", { command: "show" }, "invalid-command"],
    ["a batch", batch([]), "invalid-command"],
  ] as const)(
    "a batch is one: the seventh of ten is invalid (%s): no event",
    async (_, bad, code) => {
      const w = await given(store);
      const ten = [...nine.slice(0, 6), bad, ...nine.slice(6)];
      const { message } = await w.refuses(batchOf(ten), code);
      expect(message).toContain("commands[6]");
      expect(await w.eventsAfter(0)).toEqual([]);
    },
  );

  it("a batch is one: a bond that is broken at its end, though no command is wrong", async () => {
    const w = await given(store);
    const group = { group: "g" };
    await w.accepts(batch([admit("g1", group), admit("g2", group)]));
    await w.refuses(batch([...nine, evict("e1", ["g1"])]), "bond-broken");
    await w.accepts(batch([...nine, evict("e1", ["g1"]), evict("e2", ["g2"])]));
    expect(await w.live()).toEqual(nine.map(({ spanId }) => spanId));
  });

  it.each([
    ["admitted and evicted", [admit("n"), evict("e1", ["n"])], [], [], 5],
    ["rewritten twice", [rewrite("e1", ["s1"], "p"), rewrite("e2", ["p"], "q")], ["s1"], [], 1],
    ["evicted and back", [evict("e1", ["s1"]), undo("e1")], [], [], null],
    ["admitted, evicted and back", [admit("n"), evict("e1", ["n"]), undo("e1")], [], [], 5],
    ["back beside it", [undo("e0"), admit("n"), evict("e1", ["n"])], [], ["s2"], 2],
    ["admitted and rewound", [evict("e1", ["s1"]), admit("n"), rewind(0)], ["s1"], [], 1],
  ])("a batch is one: what left is what was in view before it: %s", async (_, commands, ...to) => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(evict("e0", ["s2"]));
    const [left, returned, firstChanged] = to;
    const before = await w.live();
    expect(await w.accepts(batch(commands))).toMatchObject({ left, returned, firstChanged });
    const after = await w.live();
    expect(before.filter((id) => !after.includes(id))).toEqual(left);
  });

  it("a batch is one: all of it is one append and one place to rewind to", async () => {
    const w = await given(store);
    await w.accepts(batch([...nine, evict("e1", ["n0"]), undo("e1")], { commandId: "ten" }));
    const places = (await w.history()).slice(1).map(({ metadata }) => metadata);
    expect(places.map(({ commandId, index, count }) => [commandId, index, count])).toEqual(
      Array.from({ length: 13 }, (_, index) => ["ten", index, 13]),
    );
    await w.refuses(rewind(9), "out-of-range");
    await w.leaves(batch([]));
  });
});
