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
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const message = (id: string, index: number) => ({ message: { id, index } });

describe.each(stores)("results and own calls on $name", (store) => {
  it("a result twice: the second result is refused", async () => {
    const w = await given(store);
    await w.accepts(callSpan("c"));
    await w.accepts(resultSpan("c"));
    await w.refuses(resultSpan("c", { spanId: "r2" }), "duplicate-result", { call: "c" });
  });

  it("a result twice: in one batch, and when the first was rewritten or evicted", async () => {
    const w = await given(store);
    const second = resultSpan("c", { spanId: "r2" });
    await w.accepts(callSpan("c"));
    await w.refuses(batch([resultSpan("c"), second]), "duplicate-result", { step: 1 });
    await w.accepts(resultSpan("c"));
    await w.accepts(rewrite("e1", ["result:c"], "short"));
    await w.again().refuses(second, "duplicate-result");
    await w.accepts(evict("e2", ["call:c", "short"]));
    await w.refuses(second, "duplicate-result");
  });

  it("shrink a tool result: the pair stays intact, undo gives the original bytes", async () => {
    const w = await given(store);
    const original = "line\r\n\u0000\u001b[31m\u202e tail ";
    await w.accepts(callSpan("c"));
    await w.accepts(resultSpan("c", { content: original, tool: { name: "cat", status: "ok" } }));
    await w.accepts(rewrite("e1", ["result:c"], "diff", "-a\n+b"));
    const { spans, rendered } = await w.view();
    expect(spans.map(({ spanId, kind, origin }) => [spanId, kind, origin])).toEqual([
      ["call:c", "tool-call", "assistant"],
      ["diff", "tool-result", "host"],
    ]);
    expect(rendered).toContain("::span diff host tool-result call c ");
    await w.refuses(evict("e2", ["diff"]), "bond-broken", { call: "c" });
    await w.again().accepts(undo("e1"));
    expect((await w.contents())[1]).toEqual(["result:c", original]);
  });

  it("shrink a tool result: JSON, the call too, twice, and back by a cascade", async () => {
    const w = await given(store);
    const original = { rows: [1, 2, { deep: null }], "": "" };
    await w.accepts(batch([callSpan("c"), resultSpan("c", { content: original })]));
    await w.accepts(rewrite("e1", ["result:c"], "r2", { rows: 3 }));
    await w.accepts(rewrite("e2", ["call:c"], "c2", "short call"));
    await w.accepts(rewrite("e3", ["r2"], "r3", "3 rows"));
    expect(await w.live()).toEqual(["c2", "r3"]);
    await w.accepts(undo("e1", { strategy: "cascade" }));
    expect(await w.contents()).toEqual([
      ["c2", "short call"],
      ["result:c", original],
    ]);
  });

  it("its own call: the model rewinds through a tool call, and its result finds it", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(callSpan("c", { by: MODEL, ...message("m1", 1) }));
    await w.accepts(rewind(1, { by: MODEL, via: "c" }));
    expect(await w.live()).toEqual(["s1", "call:c"]);
    await w.accepts(resultSpan("c"));
    expect(await w.again().live()).toEqual(["s1", "call:c", "result:c"]);
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s1", "s2", "call:c", "result:c"]);
  });

  it("its own call: the blocks of its message and parallel calls stay too", async () => {
    const w = await given(store);
    await w.holds("s1");
    const blocks = [
      admit("thought", { origin: "assistant", kind: "reasoning", ...message("m", 0) }),
      callSpan("c", message("m", 1)),
      callSpan("d", message("m", 2)),
    ];
    await w.accepts(batch(blocks));
    await w.accepts(resultSpan("d"));
    await w.accepts(batch([rewind(0, { by: MODEL })], { via: "c" }));
    expect(await w.live()).toEqual(["thought", "call:c", "call:d", "result:d"]);
    await w.accepts(resultSpan("c"));
    await w.refuses(evict("e2", ["thought"], { via: "c" }), "open-call", { spanId: "thought" });
  });

  it("its own call: a later edit is not held back by an earlier own call", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(callSpan("c"));
    await w.accepts(evict("e1", ["s1"], { via: "c" }));
    await w.accepts(resultSpan("c"));
    await w.accepts(evict("e2", ["call:c", "result:c"]));
    expect(await w.live()).toEqual([]);
  });
});
