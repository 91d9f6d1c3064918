import { describe, expect, it } from "vitest";
import { admit, batch, evict, redo, rewind, rewrite, undo } from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

describe.each(stores)("undo and redo on $name", (store) => {
  it("evict, rewind, undo: a rewind that brought the span back leaves no undo", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(1));
    await w.refuses(undo("e1"), "already-undone", { editId: "e1" });
    expect(await w.live()).toEqual(["s1"]);
  });

  it("evict, rewind, undo: the same for a rewrite, in one batch, after a restart", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(batch([rewrite("e1", ["s1"], "s2"), rewind(1)]));
    await w.again().refuses(undo("e1"), "already-undone", { editId: "e1" });
    await w.refuses(undo("e1", { strategy: "cascade" }), "already-undone");
    expect(await w.live()).toEqual(["s1"]);
  });

  it("an ancestor is never beside its descendant: an evict, once its ancestor is back", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(evict("e2", ["s2"]));
    await w.accepts(rewind(1));
    await w.refuses(undo("e2"), "already-undone");
    await w.refuses(redo("e2"), "stale-edit");
    expect(await w.live()).toEqual(["s1"]);
  });

  it("an ancestor is never beside its descendant: a rewrite of the product redone", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2"], "s3"));
    await w.accepts(undo("e1", { strategy: "cascade" }));
    await w.refuses(redo("e2"), "stale-edit", { blockers: ["e1"] });
    expect(await w.live()).toEqual(["s1"]);
  });

  it.each([
    ["rewrite", rewrite("e1", ["s1", "s2"], "s3")],
    ["evict", evict("e1", ["s1"])],
    ["rewind", rewind(1, { as: "e1" })],
  ])("undo, then redo, is the identity: %s", async (_, edit) => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(edit);
    const before = await w.state();
    await w.accepts(undo("e1", { as: "e2" }));
    await w.accepts(redo("e1", { as: "e3" }));
    expect(await w.state()).toEqual({
      ...(before as object),
      effects: [
        { editId: "e1", effect: "applied", word: "reversible" },
        { editId: "e2", effect: "undone", word: "undone" },
        { editId: "e3", effect: "applied", word: "reversible" },
      ],
    });
    const { ledger } = await w.view();
    expect(ledger).toMatchObject({ edits: 3, records: 3 });
    expect((await w.statuses()).map(({ ordinal }) => ordinal)).toEqual([1, 2, 3]);
  });

  it("undo of an undo is a redo: it is recorded as a redo of the first edit", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1", { as: "e2" }));
    await w.accepts(undo("e2", { as: "e3" }));
    const edits = (await w.history()).filter(({ type }) => type === "WindowEdited");
    expect(edits.map(({ data }) => data)).toEqual([
      { editId: "e1", ordinal: 1, verb: "evict" },
      { editId: "e2", ordinal: 2, verb: "undo", target: "e1" },
      { editId: "e3", ordinal: 3, verb: "redo", target: "e1" },
    ]);
    expect(await w.live()).toEqual([]);
  });

  it("undo of an undo is a redo: there is nothing to merge, so no content to merge it to", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1", { as: "e2" }));
    const content = "what was resolved";
    await w.refuses(undo("e2", { strategy: "merge", content }), "invalid-command", {
      editId: "e2",
    });
    expect(await w.live()).toEqual(["s1"]);
  });

  it("undo of an undo is a redo: undo of a redo is an undo, redo of an undo too", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1", { as: "e2" }));
    await w.accepts(redo("e1", { as: "e3" }));
    await w.accepts(undo("e3", { as: "e4" }));
    expect(await w.live()).toEqual(["s1"]);
    await w.accepts(undo("e4", { as: "e5" }));
    await w.accepts(redo("e2", { as: "e6" }));
    expect(await w.live()).toEqual(["s1"]);
    const verbs = (await w.statuses()).map(({ verb }) => verb);
    expect(verbs).toEqual(["evict", "undo", "redo", "undo", "redo", "undo"]);
  });

  it("undo twice: the second undo is refused and writes nothing", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1"));
    await w.refuses(undo("e1"), "already-undone", { editId: "e1" });
  });

  it("undo twice: refused in one batch too, and so is redo twice", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.refuses(batch([undo("e1"), undo("e1")]), "already-undone", { step: 1 });
    expect(await w.live()).toEqual(["s2"]);
    await w.accepts(undo("e1", { as: "e2" }));
    await w.refuses(redo("e2"), "not-undone", { editId: "e2" });
    await w.accepts(redo("e1"));
    await w.refuses(redo("e1"), "not-undone", { editId: "e1" });
    await w.refuses(undo("e2"), "already-undone", { editId: "e2" });
  });

  it("undo twice: a redo is named by its own id, and a span that went on is not as before", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1"));
    await w.accepts(redo("e1", { as: "e3" }));
    await w.refuses(redo("e3"), "not-undone", { editId: "e3" });
    await w.accepts(rewind(0));
    await w.refuses(undo("e3"), "already-undone", { editId: "e3" });
    const refusal = await w.refuses(undo("e1"), "already-undone", { editId: "e1" });
    expect(refusal.message).toBe("edit e1 is undone already: its spans went on since");
  });

  it("undo after reuse: redo names the edit that took the span meanwhile", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(undo("e1", { as: "e2" }));
    await w.accepts(rewrite("e3", ["s1"], "s3"));
    await w.refuses(redo("e1"), "stale-edit", { editId: "e1", blockers: ["e3"] });
    await w.refuses(undo("e2"), "stale-edit", { blockers: ["e3"] });
    expect(await w.live()).toEqual(["s3"]);
    expect(await w.effects()).toEqual({ e1: "undone", e2: "stale", e3: "applied" });
    expect(await w.word("e2")).toBe("stale");
  });

  it("undo after reuse: the same when the other edit is an evict or a rewind", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1"));
    await w.accepts(batch([evict("e3", ["s1"])]));
    await w.again().refuses(redo("e1"), "stale-edit", { blockers: ["e3"] });
    await w.accepts(undo("e3"));
    await w.accepts(rewind(0, { as: "e5" }));
    await w.refuses(redo("e1"), "stale-edit", { blockers: ["e5"] });
  });

  it.each([
    ["evicts", evict("e1", ["s1"]), evict("e2", ["s2"])],
    ["rewrites", rewrite("e1", ["s1"], "p1"), rewrite("e2", ["s2"], "p2")],
    ["an evict and a rewrite", evict("e1", ["s1"]), rewrite("e2", ["s2", "s3"], "p2")],
  ])("independent undos commute: %s", async (_, first, second) => {
    const shown: unknown[] = [];
    for (const order of [
      ["e1", "e2"],
      ["e2", "e1"],
    ]) {
      const w = await given(store);
      await w.holds("s1", "s2", "s3");
      await w.accepts(first);
      await w.accepts(second);
      for (const editId of order) await w.accepts(undo(editId));
      expect(await w.live()).toEqual(["s1", "s2", "s3"]);
      const { rendered, spans, gaps } = await w.view();
      shown.push({ rendered, spans, gaps });
    }
    expect(shown[1]).toEqual(shown[0]);
  });

  it("a stale edit names its blocker: with the plan of a cascade, and no event", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "one" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "second"));
    await w.accepts(rewrite("e2", ["s2"], "s3", "the third"));
    await w.refuses(undo("e1"), "stale-edit", {
      editId: "e1",
      blockers: ["e2"],
      plan: {
        order: ["e2", "e1"],
        leave: ["s3"],
        return: ["s1"],
        tokens: { before: 3, after: 1 },
        collateral: [],
      },
    });
    expect(await w.live()).toEqual(["s3"]);
    expect(await w.word("e1")).toBe("stale");
  });

  it("a stale edit names its blocker: an evict of the product is one too", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(rewrite("e1", ["s1"], "p"));
    await w.accepts(evict("e2", ["s2", "p"]));
    await w.refuses(undo("e1"), "stale-edit", {
      blockers: ["e2"],
      plan: { order: ["e2", "e1"], return: ["s1", "s2"], collateral: ["s2"] },
    });
  });

  it("the position after a revival: a revived span stands where it stood", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(evict("e1", ["s1"]));
    await w.holds("s2");
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s1", "s2"]);
  });

  it("the position after a revival: a summary takes the first place of what it covers", async () => {
    const w = await given(store);
    await w.holds("s1", "s2", "s3");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewrite("e2", ["s2", "s3"], "p"));
    await w.holds("s4");
    await w.accepts(undo("e1"));
    expect(await w.again().live()).toEqual(["s1", "p", "s4"]);
    await w.accepts(undo("e2"));
    expect(await w.live()).toEqual(["s1", "s2", "s3", "s4"]);
  });
});
