import { countSteps, startCounting } from "@palimpsest/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { admit, evict, redo, rewrite, undo } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given } from "../support/scenarios/given.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

const merge = (editId: string, more = {}) => undo(editId, { strategy: "merge", ...more });
const lines = (...all: string[]) => all.join("\n");

/** e1 cuts the first line of s1, e2 adds a last one: their reversals do not touch. */
async function twoDistantEdits(w: Story): Promise<void> {
  await w.accepts(admit("s1", { content: lines("a", "b", "c", "d") }));
  await w.accepts(rewrite("e1", ["s1"], "s2", lines("A", "b", "c", "d")));
  await w.accepts(rewrite("e2", ["s2"], "s3", lines("A", "b", "c", "d", "e")));
}

/** Steps of the merge that takes back a new first line before so many equal ones. */
async function stepsToMerge(count: number): Promise<number> {
  const w = await given(memoryStore);
  const same = "}\n".repeat(count);
  await w.accepts(admit("s1", { content: `${same}old` }));
  await w.accepts(rewrite("e1", ["s1"], "s2", `first\n${same}old`));
  await w.accepts(rewrite("e2", ["s2"], "s3", `first\n${same}new`));
  const { steps } = await countSteps(() => w.accepts(merge("e1")));
  expect((await w.contents()).map(([, content]) => content)).toEqual([`${same}new`]);
  return steps;
}

describe("the steps of a merge", () => {
  beforeAll(startCounting);

  it("are four times as many for four times as many equal lines", async () => {
    // The usual algorithm takes sixteen times as many, which is minutes for a few thousand lines.
    expect(await stepsToMerge(2_000)).toBeLessThan(5 * (await stepsToMerge(500)));
  });
});

describe.each(stores)("merge on $name", (store) => {
  it("merge once: merged, then already-merged, then stale again", async () => {
    const w = await given(store);
    await twoDistantEdits(w);
    await w.accepts(merge("e1", { as: "e3" }));
    const [[, content] = []] = await w.contents();
    expect(content).toBe(lines("a", "b", "c", "d", "e"));
    expect(await w.word("e1")).toBe("merged");
    await w.refuses(merge("e1"), "already-merged", { editId: "e1" });
    await w.accepts(undo("e3"));
    expect(await w.word("e1")).toBe("stale");
    await w.accepts(redo("e3"));
    expect(await w.word("e1")).toBe("merged");
  });

  it("merge once: still merged when the merge itself went on", async () => {
    const w = await given(store);
    await twoDistantEdits(w);
    await w.accepts(merge("e1", { as: "e3" }));
    const [merged = ""] = await w.live();
    await w.accepts(rewrite("e4", [merged], "s5", "else"));
    const again = w.again();
    expect(await again.word("e1")).toBe("merged");
    await again.refuses(merge("e1"), "already-merged");
    await again.accepts(undo("e3", { strategy: "cascade" }));
    expect(await again.word("e1")).toBe("stale");
    await again.accepts(merge("e1"));
  });

  it("merge once: the merge is a new rewrite of today's span, recorded as any", async () => {
    const w = await given(store);
    await twoDistantEdits(w);
    await w.accepts(merge("e1", { as: "e3", commandId: "c" }));
    const events = (await w.history()).filter(({ metadata }) => metadata.commandId === "c");
    expect(events.map(({ type, data }) => [type, data])).toMatchObject([
      ["RecoveryRecorded", { editId: "e3", ordinal: 3, consumed: [{ spanId: "s3" }] }],
      ["WindowEdited", { editId: "e3", ordinal: 3, verb: "rewrite", mergeOf: "e1" }],
    ]);
  });

  it("no merge through an evict: the product was evicted", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(evict("e2", ["s2"]));
    await w.refuses(merge("e1"), "not-mergeable", { editId: "e1" });
    await w.refuses(merge("e1", { content: "mine" }), "not-mergeable");
  });

  it("no merge through an evict, nor through a summary of several, nor of JSON", async () => {
    const w = await given(store);
    await w.holds("s1", "x");
    await w.accepts(rewrite("e1", ["s1"], "s2"));
    await w.accepts(rewrite("e2", ["s2", "x"], "s3"));
    await w.refuses(merge("e1"), "not-mergeable");
    await w.accepts(admit("j1", { content: { a: 1 } }));
    await w.accepts(rewrite("f1", ["j1"], "j2", { a: 2 }));
    await w.accepts(rewrite("f2", ["j2"], "j3", { a: 3 }));
    await w.refuses(merge("f1"), "not-mergeable", { editId: "f1" });
    await w.accepts(merge("f1", { content: { a: 1, b: 3 } }));
    expect((await w.contents()).at(-1)?.[1]).toEqual({ a: 1, b: 3 });
  });

  it("a merge conflict writes nothing: the three texts come back", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: lines("head", "one") }));
    await w.accepts(rewrite("e1", ["s1"], "s2", lines("head", "two")));
    await w.accepts(rewrite("e2", ["s2"], "s3", lines("head", "three")));
    await w.refuses(merge("e1"), "merge-conflict", {
      editId: "e1",
      base: lines("head", "two"),
      theirs: lines("head", "one"),
      ours: lines("head", "three"),
    });
    expect(await w.live()).toEqual(["s3"]);
  });

  it("a merge conflict writes nothing: content resolves it", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "one" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "two"));
    await w.accepts(rewrite("e2", ["s2"], "s3", "three"));
    await w.again().accepts(merge("e1", { content: "one and three" }));
    expect((await w.contents()).map(([, content]) => content)).toEqual(["one and three"]);
    expect(await w.word("e1")).toBe("merged");
  });

  it("a merge conflict writes nothing: a summary of two is merged with their texts", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "one" }));
    await w.accepts(admit("s2", { content: "two" }));
    await w.accepts(rewrite("e1", ["s1", "s2"], "s3", "both"));
    await w.accepts(rewrite("e2", ["s3"], "s4", "both of them"));
    await w.refuses(merge("e1"), "merge-conflict", {
      base: "both",
      theirs: lines("one", "two"),
      ours: "both of them",
    });
  });

  it("a merge without a change: the merged text is what stands there", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "one" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "two"));
    await w.accepts(rewrite("e2", ["s2"], "s3", "one"));
    await w.leaves(merge("e1"));
    expect(await w.word("e1")).toBe("stale");
  });

  it("a merge without a change: the same for content that is what stands there", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "one" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "two"));
    await w.accepts(rewrite("e2", ["s2"], "s3", "three"));
    await w.leaves(merge("e1", { content: "three" }));
    await w.leaves(rewrite("e3", ["s3"], "s4", "three"));
  });
});
