import { describe, expect, it } from "vitest";
import { admit, batch, evict, rewind, rewrite, undo } from "../support/scenarios/commands.ts";
import { given } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const turn = (n: number) => [
  admit(`u${n}`, { content: `question ${n}` }),
  admit(`a${n}`, { origin: "assistant", content: `answer ${n}` }),
];

describe.each(stores)("time travel on $name", (store) => {
  it("an undo that was never tried: undo of every edit gives back the bytes", async () => {
    const w = await given(store);
    const odd = ["\u0000\u001b[0m", "", "\ud83d\ude00 ‏", "a\r\nb\n"];
    for (const [i, content] of odd.entries()) await w.accepts(admit(`s${i}`, { content }));
    await w.accepts(admit("json", { content: { z: [1, { y: "\u2028" }], a: 1e-7 } }));
    const before = await w.contents();
    await w.accepts(rewrite("e1", ["s0", "s1"], "p"));
    await w.accepts(evict("e2", ["s2", "json"]));
    await w.accepts(rewrite("e3", ["p"], "q", { any: "thing" }));
    await w.accepts(rewind(0, { as: "e4" }));
    for (const editId of ["e4", "e3", "e2", "e1"]) await w.again().accepts(undo(editId));
    expect(await w.contents()).toEqual(before);
  });

  it("an undo that was never tried: each one alone, from the same history", async () => {
    const edits = [
      rewrite("e1", ["s1"], "p1"),
      evict("e1", ["s1", "s3"]),
      rewrite("e1", ["s2", "s3"], "p2", [1, 2]),
      rewind(2, { as: "e1" }),
      batch([rewrite("e1", ["s1"], "p1")]),
    ];
    for (const edit of edits) {
      const w = await given(store);
      await w.holds("s1", "s2", "s3");
      const before = await w.contents();
      await w.accepts(edit);
      expect(await w.contents()).not.toEqual(before);
      await w.accepts(undo("e1"));
      expect(await w.contents()).toEqual(before);
    }
  });

  it("a rollback across a summary: rewind brings back the original turns", async () => {
    const w = await given(store);
    for (const n of [1, 2]) for (const span of turn(n)) await w.accepts(span);
    await w.accepts(rewrite("e1", ["u1", "a1", "u2", "a2"], "sum", "summary of two turns"));
    for (const span of turn(3)) await w.accepts(span);
    await w.accepts(rewind(2));
    expect(await w.contents()).toEqual([
      ["u1", "question 1"],
      ["a1", "answer 1"],
    ]);
  });

  it("a rollback across a summary: across two of them, and into the middle", async () => {
    const w = await given(store);
    for (const n of [1, 2]) for (const span of turn(n)) await w.accepts(span);
    await w.accepts(rewrite("e1", ["u1", "a1"], "sum1", "first"));
    const { revision } = await w.accepts(rewrite("e2", ["sum1", "u2"], "sum2", "second"));
    await w.accepts(rewind(3));
    expect(await w.live()).toEqual(["u1", "a1", "u2"]);
    await w.again().accepts(rewind(revision));
    expect(await w.live()).toEqual(["sum2", "a2"]);
    await w.accepts(rewind(revision - 2));
    expect(await w.live()).toEqual(["sum1", "u2", "a2"]);
  });

  it("an undo aimed at the summary: it brings its sources back", async () => {
    const w = await given(store);
    for (const span of turn(1)) await w.accepts(span);
    await w.accepts(rewrite("e1", ["u1", "a1"], "sum", "summary"));
    await w.holds("u2");
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["u1", "a1", "u2"]);
    await w.refuses(undo("sum"), "unknown-edit", { editId: "sum" });
  });

  it("an undo aimed at the summary: the summary is not a user turn and keeps its place", async () => {
    const w = await given(store);
    await w.holds("u1", "u2", "u3");
    await w.accepts(rewrite("e1", ["u1", "u2"], "sum", "summary"));
    const { spans } = await w.view();
    expect(spans.map(({ spanId, origin, position }) => [spanId, origin, position])).toEqual([
      ["sum", "host", 1],
      ["u3", "user", 3],
    ]);
  });

  it("nested blocks: undo of the outer one restores exactly what it took", async () => {
    const w = await given(store);
    const ids = Array.from({ length: 20 }, (_, i) => `m${i + 1}`);
    await w.holds(...ids, "m21");
    await w.accepts(rewrite("A", ids.slice(0, 10), "a"));
    await w.accepts(rewrite("B", ["a", ...ids.slice(10)], "b"));
    expect(await w.live()).toEqual(["b", "m21"]);
    await w.accepts(undo("B"));
    expect(await w.live()).toEqual(["a", ...ids.slice(10), "m21"]);
    expect(await w.word("A")).toBe("reversible");
    await w.again().accepts(undo("A"));
    expect(await w.live()).toEqual([...ids, "m21"]);
  });

  it("nested blocks: an outer block that is an evict, and the inner one first", async () => {
    const w = await given(store);
    await w.holds("m1", "m2", "m3");
    await w.accepts(rewrite("A", ["m1", "m2"], "a"));
    await w.accepts(evict("B", ["a", "m3"]));
    await w.refuses(undo("A"), "stale-edit", { blockers: ["B"] });
    await w.accepts(undo("B"));
    expect(await w.live()).toEqual(["a", "m3"]);
  });

  it("a target changed since: refused, or merged, never the old text over new work", async () => {
    const w = await given(store);
    await w.accepts(admit("file", { content: "1\n2\n3\n4\n5" }));
    await w.accepts(rewrite("e1", ["file"], "f2", "one\n2\n3\n4\n5"));
    await w.accepts(rewrite("e2", ["f2"], "f3", "one\n2\n3\n4\nfive"));
    await w.refuses(undo("e1"), "stale-edit", { blockers: ["e2"] });
    await w.accepts(undo("e1", { strategy: "merge" }));
    expect((await w.contents()).map(([, content]) => content)).toEqual(["1\n2\n3\n4\nfive"]);
  });

  it("a target changed since: where both touch one line, the new work stays", async () => {
    const w = await given(store);
    await w.accepts(admit("file", { content: "1\n2" }));
    await w.accepts(rewrite("e1", ["file"], "f2", "one\n2"));
    await w.accepts(rewrite("e2", ["f2"], "f3", "ONE\n2"));
    await w.refuses(undo("e1"), "stale-edit");
    await w.refuses(undo("e1", { strategy: "merge" }), "merge-conflict");
    expect(await w.again().contents()).toEqual([["f3", "ONE\n2"]]);
  });
});
