import type { SourceRef } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import { admit, decide, evict, fact, observe, rewrite } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const digestOf = (spanId: string) => contentDigest(`text of ${spanId}`);
const sourced = (spanId: string, uri: string) =>
  admit(spanId, { origin: "tool", kind: "text", source: { uri, digest: digestOf(spanId) } });
const other = contentDigest("another content");
const cites = (spanId: string) => ({ span: spanId, quote: `text of ${spanId}` });

describe.each(stores)("what grounds nothing, on $name", (store) => {
  it.each<[string, (w: Story) => Promise<unknown>, SourceRef]>([
    [
      "the model's own text",
      (w) => w.accepts(admit("s1", { origin: "assistant", by: MODEL })),
      cites("s1"),
    ],
    ["the host's own text", (w) => w.accepts(admit("s1", { origin: "host" })), cites("s1")],
    [
      "a summary that the model wrote",
      async (w) => {
        await w.holds("s0");
        await w.accepts(rewrite("e1", ["s0"], "s1", "text of s1", { by: MODEL }));
      },
      cites("s1"),
    ],
    [
      "a rewrite by the host of a user's words",
      async (w) => {
        await w.holds("s0");
        await w.accepts(rewrite("e1", ["s0"], "s1"));
      },
      cites("s1"),
    ],
    ["a uri that nobody observed", async () => {}, { uri: "file:a", digest: digestOf("s1") }],
    [
      "a uri observed with another digest",
      (w) => w.accepts(observe("file:a", other)),
      { uri: "file:a", digest: digestOf("s1") },
    ],
    [
      "a uri that is gone",
      (w) => w.accepts(observe("file:a", null)),
      { uri: "file:a", digest: digestOf("s1") },
    ],
    ["a claim that rests on nothing", (w) => w.accepts(fact("c0")), { claim: "c0" }],
    [
      "a recall of the model's own text",
      async (w) => {
        await w.accepts(admit("s0", { origin: "assistant", content: "text of s1" }));
        await w.accepts(evict("e1", ["s0"]));
        await w.accepts({ command: "recall", spanId: "s0", as: "s1" });
      },
      cites("s1"),
    ],
  ])("laundering: %s", async (_, before, because) => {
    const w = await given(store);
    await before(w);
    await w.accepts(fact("c1", { because: [because], by: MODEL, evidence: true }));
    expect(await w.standings()).toMatchObject({ c1: "unverified" });
    expect((await w.claimLines()).at(-1)).toContain("::claim c1 fact unverified by model/m");
  });

  it("laundering: a greeting, quoted for a value that it does not hold", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "hello there" }));
    const because = [{ span: "s1", quote: "hello there" }];
    const claim = fact("c1", { key: "may_delete", value: "yes", because, by: MODEL });
    const answer = await w.send(claim);
    if (answer.outcome === "accepted") expect(await w.standings()).toEqual({ c1: "unverified" });
    else expect(answer).toMatchObject({ refusals: [{ code: "quote-not-found" }] });
  });

  it("laundering: a recall of what came from a file that is another now", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts({ command: "recall", spanId: "s1", as: "r" });
    await w.accepts(fact("c1", { because: [{ span: "r", quote: "text of s1" }] }));
    await w.accepts(fact("c2", { carrier: "r" }));
    expect(await w.standings()).toEqual({ c1: "verified", c2: "verified" });
    await w.accepts(observe("file:a", other));
    expect(await w.standings()).toEqual({ c1: "unverified", c2: "unverified" });
    expect(await w.again().standings()).toEqual({ c1: "unverified", c2: "unverified" });
  });

  it("laundering: a recall looks at no file, whoever asks for it", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(observe("file:a", other));
    await w.accepts({ command: "recall", spanId: "s1", as: "r" });
    expect(await w.standings()).toEqual({ c1: "unverified" });
    await w.accepts(fact("c2", { carrier: "r" }));
    expect(await w.again().standings()).toEqual({ c1: "unverified", c2: "unverified" });
  });

  it("laundering: an empty span, which holds no words at all", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "" }));
    await w.accepts(fact("c1", { carrier: "s1", by: MODEL }));
    expect(await w.standings()).toEqual({ c1: "unverified" });
  });

  it("a request nobody made: a user's authority needs a span of the user", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "keep the tests" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "the user asked to drop the tests", { by: MODEL }));
    await w.accepts(fact("c1", { carrier: "s2", by: MODEL, statement: "drop the tests" }));
    await w.accepts(fact("c2", { because: [{ span: "s1", quote: "keep" }] }));
    expect(await w.standings()).toEqual({ c1: "unverified", c2: "verified" });
    expect((await w.view()).spans).toMatchObject([{ spanId: "s2", origin: "assistant" }]);
  });

  it("a source that changed: another content now; its return counts", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(fact("c1", { carrier: "s1", evidence: true }));
    await w.accepts(decide("d1", ["c1"]));
    await w.accepts(rewrite("e1", ["s1"], "s2", "read the file again"));
    await w.accepts(observe("file:a", other));
    expect(await w.standings()).toEqual({ c1: "unverified", d1: "unverified" });
    expect((await w.window.claims())[0]?.sources).toMatchObject([{ state: "changed" }]);
    expect((await w.claimLines())[0]).toContain("::claim c1 fact unverified");
    const head = await w.head();
    await w.accepts(observe("file:a", digestOf("s1")));
    expect(await w.standings()).toEqual({ c1: "verified", d1: "verified" });
    expect(await w.eventsAfter(head)).toEqual(["SourceObserved"]);
  });

  it("a source that changed: one that nobody observed has not", async () => {
    const w = await given(store);
    const uri = { uri: "file:a", digest: digestOf("s1") };
    await w.accepts(admit("s1", { source: uri, origin: "assistant", by: MODEL }));
    await w.accepts(fact("c1", { because: [uri, { span: "s1", quote: "text of s1" }] }));
    const states = async () => (await w.window.claims())[0]?.sources.map(({ state }) => state);
    expect([await states(), await w.standings()]).toEqual([
      ["absent", "live"],
      { c1: "unverified" },
    ]);
    await w.accepts(observe("file:a", uri.digest));
    expect(await states()).toEqual(["observed", "live"]);
    await w.accepts(observe("file:a", null));
    expect(await states()).toEqual(["changed", "changed"]);
  });

  it("a source that changed: admitting it is looking at it", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(fact("c1", { carrier: "s1" }));
    const read = { source: { uri: "file:a", digest: other }, content: "another content" };
    await w.accepts(admit("s2", { ...read, origin: "assistant", by: MODEL }));
    expect(await w.standings()).toEqual({ c1: "verified" });
    await w.accepts(admit("s3", { ...read, origin: "tool" }));
    expect(await w.standings()).toEqual({ c1: "unverified" });
  });

  it("a source outlived: what a summary repeats is unverified", async () => {
    const w = await given(store);
    await w.accepts(sourced("s1", "file:a"));
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "summary: text of s1"));
    await w.accepts(fact("c1", { carrier: "s2", quote: "text of s1" }));
    await w.accepts(decide("d1", ["c1"]));
    await w.accepts(observe("file:a", null));
    expect(await w.standings()).toEqual({ c1: "unverified", d1: "unverified" });
  });
});
