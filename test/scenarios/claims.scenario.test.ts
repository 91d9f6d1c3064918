import { describe, expect, it } from "vitest";
import {
  admit,
  batch,
  decide,
  evict,
  fact,
  retract,
  rewrite,
  undo,
} from "../support/scenarios/commands.ts";
import { given, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const budget = (claimId: string, value: number, more = {}) =>
  fact(claimId, { key: "retry_budget", value, ...more });

describe.each(stores)("what is the same claim, on $name", (store) => {
  it.each([
    ["case", "Retry_Budget"],
    ["full-width letters", "ｒｅｔｒｙ＿ｂｕｄｇｅｔ"],
    ["spaces around it", "  retry_budget\t\n"],
    ["full-width capitals between spaces", "\u3000ＲＥＴＲＹ_budget "],
    ["a no-break space", "\u00a0retry_budget\u00a0"],
  ])("spelling games: %s in the key is still a conflict", async (_, key) => {
    const w = await given(store);
    await w.accepts(budget("c1", 3));
    await w.accepts(fact("c2", { key, value: 7 }));
    const claims = await w.window.claims();
    expect(
      claims.map(({ claimId, key: said, value, conflicts }) => [claimId, said, value, conflicts]),
    ).toEqual([
      ["c1", "retry_budget", 3, ["c2"]],
      ["c2", key, 7, ["c1"]],
    ]);
  });

  it.each([
    ["App", " app "],
    ["ﬁle", "FILE"],
    ["\u212bngstr\u00f6m", "\u00e5ngstro\u0308m"],
    [undefined, ""],
    [undefined, "  "],
  ])("spelling games: scope %j is scope %j", async (one, other) => {
    const w = await given(store);
    await w.accepts(budget("c1", 3, { scope: one }));
    await w.accepts(budget("c2", 7, { scope: other }));
    const { ids } = await w.accepts(budget("c3", 3, { scope: other, claimId: undefined }));
    expect(ids.claimId).toBe("c1");
    expect((await w.window.claims()).map(({ conflicts }) => conflicts)).toEqual([["c2"], ["c1"]]);
  });

  it.each([
    ["straße", "STRASSE"],
    ["STRAẞE", "straſse"],
    ["λόγος max", "ΛΌΓΟΣ MAX"],
    ["λόγοσ", "λόγος"],
    ["ᾳ\u0308", "Α\u0308Ι"],
    ["i\u0307d", "İD"],
    ["ﬃx", "FFIX"],
    ["ꭰꮃꭹ", "ᎠᎳᎩ"],
  ])("spelling games: %s is %s in another case, for the verifier too", async (one, other) => {
    const w = await given(store);
    await w.accepts(fact("c1", { key: one, value: 3 }));
    const { ids } = await w.accepts(fact("again", { key: other, value: 3 }));
    expect(ids.claimId).toBe("c1");
    await w.accepts(fact("c2", { key: other, value: 7 }));
    expect((await w.window.claims()).map(({ conflicts }) => conflicts)).toEqual([["c2"], ["c1"]]);
    await w.accepts({ command: "render" });
    await w.holdsUp();
  });

  it.each([
    ["ısı", "isi"],
    ["e", "é"],
    ["ss", "s s"],
  ])("spelling games: %s and %s are two keys, for the verifier too", async (one, other) => {
    const w = await given(store);
    await w.accepts(fact("c1", { key: one, value: 3 }));
    const { ids } = await w.accepts(fact("c2", { key: other, value: 3 }));
    expect(ids.claimId).toBe("c2");
    await w.holdsUp();
  });

  it.each([
    ["another scope", { scope: "tests" }],
    ["another key", { key: "retry_budgets" }],
    ["a key with a space inside", { key: "retry _budget" }],
    ["no key", { key: undefined, value: undefined }],
  ])("spelling games: %s is not a conflict", async (_, more) => {
    const w = await given(store);
    await w.accepts(budget("c1", 3));
    await w.accepts(budget("c2", 7, more));
    expect((await w.window.claims()).map(({ conflicts }) => conflicts)).toEqual([[], []]);
  });

  it.each([
    ["3 and 3.0", "[3]", "[3.0]"],
    ["the order of keys", '{"a":1,"b":2}', '{"b":2,"a":1}'],
    ["escapes", '"\\u0061"', '"a"'],
    ["null twice", "null", "null"],
  ])("spelling games: values are the same by their RFC 8785 form: %s", async (_, a, b) => {
    const w = await given(store);
    await w.accepts(fact("c1", { key: "k", value: JSON.parse(a) }));
    const { ids } = await w.accepts(fact("c2", { key: "k", value: JSON.parse(b) }));
    expect(ids.claimId).toBe("c1");
    expect(await w.standings()).toEqual({ c1: "unverified" });
  });

  it.each([
    [3, "3"],
    [false, "false"],
    [null, "null"],
    [
      [1, 2],
      [2, 1],
    ],
    ["a", "A"],
    ["a", "a "],
  ])("spelling games: %j and %j are two values, in conflict", async (one, other) => {
    const w = await given(store);
    await w.accepts(fact("c1", { key: "k", value: one }));
    await w.accepts(fact("c2", { key: "k", value: other }));
    expect((await w.window.claims()).map(({ conflicts }) => conflicts)).toEqual([["c2"], ["c1"]]);
  });

  it("a contradiction deletes nothing: likes x, hates x: two claims, none lost", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "I like x" }));
    await w.accepts(fact("c1", { scope: "user", key: "x", value: "like", carrier: "s1" }));
    await w.accepts(admit("s2", { content: "I hate x" }));
    await w.accepts(fact("c2", { scope: "user", key: "x", value: "hate", carrier: "s2" }));
    await w.accepts(fact("c3", { statement: "x is fine" }));
    await w.accepts({ command: "noteConflict", a: "c3", b: "c1", note: "fine is not like" });
    const claims = await w.again().window.claims();
    expect(claims.map(({ claimId, value, conflicts }) => [claimId, value, conflicts])).toEqual([
      ["c1", "like", ["c2", "c3"]],
      ["c2", "hate", ["c1"]],
      ["c3", null, ["c1"]],
    ]);
    await w.leaves({ command: "noteConflict", a: "c1", b: "c3" });
    await w.leaves({ command: "noteConflict", a: "c2", b: "c1" });
  });

  it("a duplicate deletes nothing: the same fact twice is one claim", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "budget: 3" }));
    await w.accepts(admit("s2", { content: "the budget is still 3" }));
    await w.accepts(budget("c1", 3, { carrier: "s1" }));
    const again = budget("c1", 3, { claimId: undefined, carrier: "s2", statement: "still 3" });
    expect((await w.accepts(again)).ids).toMatchObject({ claimId: "c1" });
    expect(await w.window.claims()).toEqual([
      {
        claimId: "c1",
        kind: "fact",
        scope: null,
        key: "retry_budget",
        value: 3,
        statement: "statement of c1",
        standing: "verified",
        evidence: false,
        protected: false,
        carriers: ["s1", "s2"],
        sources: [
          { ref: { span: "s1", quote: "budget: 3" }, state: "live" },
          { ref: { span: "s2", quote: "the budget is still 3" }, state: "live" },
        ],
        conflicts: [],
        by: "host/h",
      },
    ]);
  });

  it("a duplicate deletes nothing: with its own id or another free one, or as evidence", async () => {
    const w = await given(store);
    await w.accepts(budget("c1", 3));
    expect((await w.accepts(budget("c1", 3))).ids).toMatchObject({ claimId: "c1" });
    expect((await w.accepts(budget("c2", 3, { evidence: true, by: MODEL }))).ids).toMatchObject({
      claimId: "c1",
    });
    await w.refuses(budget("c1", 4), "id-taken", { claimId: "c1" });
    const claims = await w.window.claims();
    expect(claims.map(({ claimId, by, evidence }) => [claimId, by, evidence])).toEqual([
      ["c1", "host/h", true],
    ]);
  });

  it("a duplicate deletes nothing: a decision and a fact of the same words are two claims", async () => {
    const w = await given(store);
    await w.accepts(fact("c1", { statement: "use 3" }));
    await w.accepts(decide("d1", ["c1"], { statement: "use 3" }));
    await w.accepts(fact("c2", { statement: "Use 3" }));
    await w.accepts(fact("c3", { statement: "use 3", supersedes: "c1" }));
    expect(Object.keys(await w.standings())).toEqual(["c1", "d1", "c2", "c3"]);
  });
});

describe.each(stores)("a retraction on $name", (store) => {
  it("a retraction is terminal: the revived text is flagged", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "the sky\nis green" }));
    await w.accepts(fact("c1", { carrier: "s1", quote: "green", evidence: true }));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(retract("c1", { by: MODEL, reason: "look\nup" }));
    expect(await w.claimLines()).toEqual([]);
    await w.accepts(undo("e1"));
    const flag = '::retracted c1 by model/m: "look\\nup"; do not rely on "is green" in s1';
    expect(await w.claimLines()).toEqual([flag]);
    const { message } = await w.refuses(fact("c1", { carrier: "s1" }), "claim-retracted", {
      claimId: "c1",
    });
    expect(message).toContain("look\nup");
    expect(await w.again().claimLines()).toEqual([flag]);
    expect(await w.standings()).toEqual({ c1: "retracted" });
  });

  it.each([
    ["the same id", budget("c1", 3)],
    ["another id", budget("c2", 3)],
    ["no id", budget("c1", 3, { claimId: undefined })],
    ["another spelling", fact("c2", { key: " RETRY_budget ", value: 3 })],
    ["other words", budget("c2", 3, { statement: "it is three, believe me", evidence: true })],
    ["another carrier", budget("c2", 3, { carrier: "s2" })],
    ["another principal", budget("c2", 3, { by: MODEL })],
  ])("revived by the next pass: said again with %s it is refused", async (_, again) => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "budget 3" }));
    await w.accepts(admit("s2", { content: "budget 3" }));
    await w.accepts(budget("c1", 3, { carrier: "s1" }));
    await w.accepts(retract("c1"));
    await w.refuses(again, "claim-retracted", { claimId: "c1" });
    await w.refuses(batch([admit("x"), again]), "claim-retracted", { claimId: "c1", step: 1 });
    await w.again().refuses(again, "claim-retracted");
  });

  it("a retraction is terminal: later truth is a new claim that supersedes", async () => {
    const w = await given(store);
    await w.accepts(budget("c1", 3));
    await w.accepts(retract("c1"));
    await w.accepts(budget("c2", 3, { supersedes: "c1" }));
    await w.accepts(retract("c2"));
    await w.refuses(budget("c3", 3, { supersedes: "c1" }), "claim-retracted", { claimId: "c2" });
    await w.accepts(budget("c3", 3, { supersedes: "c2" }));
    expect(await w.standings()).toEqual({ c1: "retracted", c2: "retracted", c3: "unverified" });
  });

  it("a retraction is terminal: a recall of the text is flagged as well", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(rewrite("e1", ["s1"], "s2", "short"));
    await w.accepts(retract("c1"));
    expect(await w.claimLines()).toEqual([]);
    await w.accepts({ command: "recall", spanId: "s1", as: "r" });
    expect(await w.claimLines()).toEqual([
      '::retracted c1 by host/h: "it was wrong"; do not rely on "text of s1" in r',
    ]);
  });

  it("a retraction is terminal: nothing supersedes itself", async () => {
    const w = await given(store);
    await w.accepts(fact("c1"));
    await w.refuses(retract("c1", { supersededBy: "c1" }), "invalid-command");
    await w.refuses(fact("c2", { supersedes: "c2" }), "unknown-claim");
  });

  it("retirement in a batch: each names one claim and its reason", async () => {
    const w = await given(store);
    for (const id of ["c1", "c2", "c3"]) await w.accepts(fact(id));
    await w.refuses({ command: "retractClaim", claimId: "c1" }, "invalid-command");
    await w.refuses(retract("c1", { reason: "" }), "invalid-command");
    await w.refuses(retract("c1", { reason: " \n\t" }), "invalid-command");
    await w.refuses({ ...retract("c1"), claimIds: ["c1", "c2"] }, "invalid-command");
    await w.refuses(batch([retract("c1"), retract("c1")]), "claim-retracted", { step: 1 });
    await w.accepts(batch([retract("c1", { reason: "a" }), retract("c3", { reason: "b" })]));
    expect(await w.standings()).toEqual({ c1: "retracted", c2: "unverified", c3: "retracted" });
    const reasons = (await w.history()).flatMap(({ type, data }) =>
      type === "ClaimRetracted" ? [[data.claimId, data.reason]] : [],
    );
    expect(reasons).toEqual([
      ["c1", "a"],
      ["c3", "b"],
    ]);
  });
});
