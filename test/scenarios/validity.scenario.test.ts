import { describe, expect, it } from "vitest";
import {
  admit,
  batch,
  callSpan,
  evict,
  resultSpan,
  rewind,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

/** The calls and the results that the model is shown, by call id. */
async function shownPairs(w: Story): Promise<{ calls: string[]; results: string[] }> {
  const { rendered } = await w.view();
  const shown = (kind: string) =>
    [...rendered.matchAll(new RegExp(`^::span \\S+ \\S+ ${kind} call (\\S+)`, "gm"))]
      .map(([, call = ""]) => call)
      .sort();
  return { calls: shown("tool-call"), results: shown("tool-result") };
}

describe.each(stores)("window validity on $name", (store) => {
  it("half a match: no result without its call is ever rendered", async () => {
    const w = await given(store);
    await w.accepts(batch([callSpan("A"), callSpan("B")]));
    await w.accepts(batch([resultSpan("A"), resultSpan("B")]));
    await w.refuses(evict("e1", ["call:A"]), "bond-broken", { call: "A" });
    await w.refuses(rewrite("e1", ["call:A", "call:B"], "sum"), "bond-broken");
    await w.refuses(rewrite("e1", ["call:A", "result:A"], "sum"), "not-contiguous");
    await w.accepts(evict("e1", ["call:A", "result:A"]));
    await w.refuses(evict("e2", ["call:B"]), "bond-broken", { call: "B" });
    expect(await shownPairs(w)).toEqual({ calls: ["B"], results: ["B"] });
  });

  it("half a match: no call without its result either, by undo, redo or cascade", async () => {
    const w = await given(store);
    await w.accepts(batch([callSpan("A"), resultSpan("A")]));
    await w.accepts(rewrite("e1", ["call:A"], "shorter"));
    await w.refuses(
      batch([evict("e2", ["shorter"]), evict("e3", ["result:A"]), undo("e2")]),
      "bond-broken",
    );
    await w.accepts(evict("e2", ["shorter", "result:A"]));
    await w.accepts(undo("e1", { strategy: "cascade" }));
    expect(await shownPairs(w.again())).toEqual({ calls: ["A"], results: ["A"] });
  });

  it("an edit over an open call: refused, and the late result finds its call", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("c"));
    await w.refuses(rewrite("e1", ["s1", "call:c"], "sum"), "open-call", { call: "c" });
    await w.refuses(evict("e1", ["call:c"]), "open-call", { call: "c" });
    await w.accepts(resultSpan("c"));
    expect(await shownPairs(w)).toEqual({ calls: ["c"], results: ["c"] });
    await w.accepts(rewrite("e1", ["s1", "call:c", "result:c"], "sum"));
  });

  it("an edit over an open call: accepted when the result comes in the same append", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("c"));
    const late = [resultSpan("c"), rewrite("e1", ["s1", "call:c", "result:c"], "sum")];
    await w.accepts(batch(late));
    expect(await w.live()).toEqual(["sum"]);
  });

  it("a mixed message: the unit is the block, not the message", async () => {
    const w = await given(store);
    const at = (id: string, index: number) => ({ message: { id, index } });
    await w.accepts(
      batch([
        admit("say", { origin: "assistant", ...at("m1", 0) }),
        callSpan("x", at("m1", 1)),
        resultSpan("x", { origin: "user", ...at("m2", 0) }),
        admit("text", at("m2", 1)),
      ]),
    );
    await w.refuses(rewrite("e1", ["say", "call:x"], "sum"), "bond-broken", { call: "x" });
    await w.accepts(rewrite("e1", ["say", "call:x", "result:x"], "sum"));
    expect(await w.live()).toEqual(["sum", "text"]);
    await w.accepts(undo("e1"));
    await w.accepts(evict("e3", ["text"]));
    expect(await shownPairs(w)).toEqual({ calls: ["x"], results: ["x"] });
  });

  it("a result without its call: admitted as other it breaks nothing", async () => {
    const w = await given(store);
    const { message } = await w.refuses(resultSpan("gone"), "call-not-live", { call: "gone" });
    expect(message).toContain("kind other");
    const tool = { name: "ls", status: "ok" } as const;
    await w.accepts(admit("r", { origin: "tool", kind: "other", tool, content: "a b" }));
    const { rendered, spans } = await w.view();
    expect(spans).toEqual([
      { spanId: "r", position: 1, origin: "tool", kind: "other", tokens: 1, content: "a b" },
    ]);
    expect(rendered).toContain('::span r tool other tool "ls" status ok\na b\n');
    await w.accepts(evict("e1", ["r"]));
    await w.again().accepts(undo("e1"));
    expect(await w.live()).toEqual(["r"]);
  });

  it("a result without its call: nor before its call, nor under a call of another kind", async () => {
    const w = await given(store);
    await w.refuses(batch([resultSpan("c"), callSpan("c")]), "call-not-live", { step: 0 });
    await w.refuses(admit("t", { kind: "text", call: "c" }), "invalid-command");
    await w.accepts(callSpan("c"));
    await w.refuses(callSpan("c", { spanId: "other" }), "id-taken", { call: "c" });
  });

  it("an approval chain: the group goes or stays whole", async () => {
    const w = await given(store);
    const group = "approval";
    await w.accepts(
      batch([
        callSpan("c", { group }),
        admit("request", { origin: "assistant", kind: "other", group }),
        admit("response", { kind: "other", group }),
        resultSpan("c"),
      ]),
    );
    const pruned = ["call:c", "result:c", "request"];
    await w.refuses(evict("e1", pruned), "bond-broken", { group });
    await w.refuses(evict("e1", ["response"]), "bond-broken", { group });
    await w.accepts(evict("e1", [...pruned, "response"]));
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["call:c", "request", "response", "result:c"]);
  });

  it("reasoning left alone: reasoning and call leave together or not at all", async () => {
    const w = await given(store);
    const group = "turn";
    const thought = admit("thought", {
      origin: "assistant",
      kind: "reasoning",
      group,
      sealed: true,
    });
    await w.accepts(batch([thought, callSpan("c", { group })]));
    await w.accepts(resultSpan("c"));
    await w.refuses(evict("e1", ["call:c", "result:c"]), "bond-broken", { group });
    await w.refuses(evict("e1", ["thought"]), "bond-broken", { group });
    await w.refuses(rewrite("e1", ["thought"], "t2"), "bond-broken", { spanId: "thought" });
    await w.accepts(rewrite("e1", ["result:c"], "r2"));
    await w.accepts(evict("e2", ["thought", "call:c", "r2"]));
    expect(await w.again().live()).toEqual([]);
    await w.accepts(rewind(3));
    expect(await w.live()).toEqual(["thought", "call:c", "result:c"]);
  });

  it("the edit's own call: it is outside every edit it causes", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    const via = "compact";
    await w.accepts(callSpan(via, { message: { id: "m", index: 0 } }));
    await w.refuses(rewrite("e1", ["s1", "s2", "call:compact"], "sum", "x", { via }), "open-call", {
      spanId: "call:compact",
    });
    await w.accepts(rewrite("e1", ["s1", "s2"], "sum", "x", { via, by: MODEL }));
    await w.accepts(resultSpan(via));
    expect(await w.live()).toEqual(["sum", "call:compact", "result:compact"]);
    await w.refuses(evict("e2", ["call:compact", "result:compact"], { via }), "open-call");
    const edited = (await w.history()).find(({ type }) => type === "WindowEdited");
    expect(edited?.metadata).toMatchObject({ by: MODEL, via });
  });

  it("the edit's own call: undo through a call leaves the call too", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("first"));
    await w.accepts(evict("e1", ["s1"], { via: "first" }));
    await w.accepts(resultSpan("first"));
    await w.accepts(callSpan("second"));
    await w.accepts(undo("e1", { via: "second" }));
    await w.accepts(resultSpan("second"));
    expect((await w.live()).at(0)).toBe("s1");
    expect(await shownPairs(w)).toEqual({
      calls: ["first", "second"],
      results: ["first", "second"],
    });
  });

  it("one removal exposes the next: each refusal names what hangs on it", async () => {
    const w = await given(store);
    await w.accepts(
      batch([
        admit("t1", { origin: "assistant", kind: "reasoning", group: "g1" }),
        callSpan("a", { group: "g1" }),
        resultSpan("a", { group: "g2" }),
        admit("t2", { origin: "assistant", kind: "reasoning", group: "g2" }),
        callSpan("b", { group: "g2" }),
        resultSpan("b"),
      ]),
    );
    await w.holds("free");
    let wanted = ["t1"];
    for (let pass = 0; pass < 10; pass += 1) {
      const answer = await w.send(evict("e1", wanted));
      if (answer.outcome !== "refused") break;
      const named = answer.refusals.flatMap(({ spans }) => spans as string[]);
      expect(named.some((id) => !wanted.includes(id))).toBe(true);
      wanted = [...new Set([...wanted, ...named])];
    }
    expect(await w.live()).toEqual(["free"]);
    expect(wanted).not.toContain("free");
  });
});
