import { describe, expect, it } from "vitest";
import { admit, evict, fact } from "../support/scenarios/commands.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const budget = (claimId: string, value: number, more = {}) =>
  fact(claimId, { key: "retry_budget", value, ...more });

describe.each(stores)("a quote on $name", (store) => {
  const long = `do not ${"really ".repeat(50)}use X`;

  it.each([
    ["one line", "do not use X", "use X", "do not use X"],
    ["a line among others", "a\ndo not use X\nb", "use X", "do not use X"],
    ["two lines", "do not use X\nor Y, ever", "use X\nor Y", "do not use X\nor Y, ever"],
    ["the last line", "a\n\ndo not use X", "use", "do not use X"],
    ["a line that is too long to fit", `a\n${long}\nb`, "use X", "use X"],
    ["a carriage return", "a\ndo not use X\r\nb", "use X", "do not use X\r"],
    ["the whole text", "use X", "use X", "use X"],
  ])("a cropped quote is widened to whole lines: %s", async (_, content, quote, kept) => {
    const w = await given(store);
    await w.accepts(admit("s1", { content }));
    await w.accepts(fact("c1", { carrier: "s1", quote, evidence: true }));
    await w.accepts(evict("e1", ["s1"]));
    expect((await w.view()).ledger.claims.map((claim) => claim.quote)).toEqual([kept]);
  });

  it.each([
    ["words that are not there", "text of s2"],
    ["words in another case", "Text of s1"],
    ["words in another normal form", "te\u0301xt"],
    ["words with other spaces", "text  of s1"],
    ["a regular expression", "text.*"],
  ])("a cropped quote is literally in its carrier, not %s", async (_, quote) => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.refuses(fact("c1", { carrier: "s1", quote }), "quote-not-found", { spanId: "s1" });
    const because = [{ span: "s1", quote }];
    await w.refuses(fact("c1", { because }), "quote-not-found", { spanId: "s1" });
  });

  it("a cropped quote holds the value of a keyed claim", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "retry_budget = 3\nother = 7" }));
    await w.refuses(budget("c1", 7, { carrier: "s1", quote: "budget = 3" }), "quote-not-found");
    await w.refuses(budget("c1", 5, { carrier: "s1" }), "quote-not-found");
    await w.accepts(budget("c1", 3, { carrier: "s1" }));
    expect((await w.window.claims())[0]?.sources).toEqual([
      { ref: { span: "s1", quote: "retry_budget = 3" }, state: "live" },
    ]);
  });

  it("a cropped quote of 300 characters holds the longest value, and never a longer one", async () => {
    const w = await given(store);
    const [fits, not] = ["v".repeat(300), "w".repeat(301)];
    await w.accepts(
      admit("s1", { origin: "assistant", content: `k = ${fits}; ${not}`, by: MODEL }),
    );
    const said = (value: string) =>
      fact("c1", { key: "k", value, carrier: "s1", evidence: true, by: MODEL });
    await w.refuses(said(not), "quote-not-found", { spanId: "s1" });
    await w.accepts(said(fits));
    await w.accepts(fact("c2", { key: "k", value: not }));
    await w.accepts(evict("e1", ["s1"]));
    expect((await w.view()).ledger.claims.map(({ quote }) => quote)).toEqual([fits, null]);
    await w.holdsUp();
  });

  const smile = `${"a".repeat(299)}😀 and so on`;

  it.each([
    ["the beginning of the statement", `well, ${smile}, yes`, smile],
    ["the beginning of the text", smile, "something else"],
  ])("a cropped quote cuts no character in two: %s", async (_, content, statement) => {
    const w = await given(store);
    await w.accepts(admit("s1", { content }));
    await w.accepts(fact("c1", { statement, carrier: "s1", evidence: true }));
    await w.accepts(evict("e1", ["s1"]));
    expect((await w.view()).ledger.claims.map(({ quote }) => quote)).toEqual(["a".repeat(299)]);
    await w.holdsUp();
  });
});
