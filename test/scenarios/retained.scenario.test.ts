import type { PruningCandidate } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  callSpan,
  decide,
  evict,
  fact,
  propose,
  resultSpan,
  rewind,
  rewrite,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { memoryStore, stores } from "../support/scenarios/stores.ts";

const long = (word: string) => `${word} `.repeat(100);
const big = (spanId: string, more: Sent = {}) => admit(spanId, { content: long(spanId), ...more });
const thought = (spanId: string, group: string) =>
  big(spanId, { origin: "assistant", kind: "reasoning", group, sealed: true });

/** What stays of a proposal and why, as `span why` in the order of the answer. */
function stays(answer: object): string[] {
  const { retained = [] } = answer as { retained?: { spanId: string; why: string }[] };
  return retained.map(({ spanId, why }) => `${spanId} ${why}`);
}

describe.each(stores)("what a committer retains on $name", (store) => {
  it.each<[string, readonly PruningCandidate[], string[]]>([
    ["the call only", ["call:c"], ["call:c bond"]],
    ["the result only", ["result:c"], ["result:c bond"]],
    [
      "a replacement of the call and a neighbour",
      [{ consumes: ["s1", "call:c"], content: "x" }],
      ["call:c bond", "s1 bond"],
    ],
  ])("evict half a pair: %s stays, never half", async (_, candidates, expected) => {
    const w = await given(store);
    await w.accepts(big("s1"));
    await w.accepts(callSpan("c", { content: long("c") }));
    await w.accepts(resultSpan("c", { content: long("c") }));
    const answer = await w.prunes(candidates);
    expect(answer).toMatchObject({ settlement: "empty" });
    expect(stays(answer).sort()).toEqual(expected);
    expect(await w.live()).toEqual(["s1", "call:c", "result:c"]);
  });

  it("evict half a pair: both together go, and one may shrink alone", async () => {
    const w = await given(store);
    for (const call of ["a", "b"]) {
      await w.accepts(callSpan(call));
      await w.accepts(resultSpan(call, { content: long(call) }));
    }
    const candidates = ["call:a", "result:a", { consumes: ["result:b"], content: "short" }];
    expect(await w.prunes(candidates)).toMatchObject({ settlement: "committed", retained: [] });
    expect((await w.contents()).map(([, content]) => content)).toEqual(["text of call:b", "short"]);
  });

  it("an approval chain: half of a group stays, the whole of it goes", async () => {
    const w = await given(store);
    const group = "approval";
    const ids = ["call:c", "request", "response", "result:c"];
    await w.accepts(
      batch([
        callSpan("c", { group, content: long("c") }),
        big("request", { origin: "assistant", kind: "other", group }),
        big("response", { kind: "other", group }),
        resultSpan("c"),
      ]),
    );
    expect(stays(await w.prunes(["call:c", "result:c", "request"]))).toEqual([
      "call:c bond",
      "request bond",
      "result:c bond",
    ]);
    expect(await w.live()).toEqual(ids);
    expect(await w.prunes(ids)).toMatchObject({ settlement: "committed", left: ids });
  });

  it("reasoning left alone: neither the call without it nor it without the call", async () => {
    const w = await given(store);
    await w.accepts(batch([thought("t", "g"), callSpan("c", { group: "g" })]));
    await w.accepts(resultSpan("c"));
    for (const half of [["t"], ["call:c", "result:c"], ["t", "call:c"], ["t", "result:c"]]) {
      const answer = await w.prunes(half);
      expect(answer).toMatchObject({ settlement: "empty" });
      expect(new Set(stays(answer))).toEqual(new Set(half.map((id) => `${id} bond`)));
    }
    expect(await w.prunes(["result:c", "call:c", "t"])).toMatchObject({ settlement: "committed" });
  });

  it("the edit's own call: the call that asked to settle is retained, whole", async () => {
    const w = await given(store);
    await w.accepts(big("s1"));
    const message = (index: number) => ({ message: { id: "m", index } });
    await w.accepts(
      batch([
        big("words", { origin: "assistant", ...message(0) }),
        callSpan("compact", { ...message(1), content: long("compact") }),
      ]),
    );
    const candidates = ["s1", "words", "call:compact"];
    await w.accepts(propose("q1", candidates, { by: MODEL, via: "compact" }));
    const answer = await w.accepts(settle("q1", { by: HUMAN, via: "compact" }));
    expect(answer).toMatchObject({ settlement: "committed", left: ["s1"] });
    expect(stays(answer)).toEqual(["words own-call", "call:compact own-call"]);
    await w.accepts(resultSpan("compact"));
    expect(await w.live()).toEqual(["words", "call:compact", "result:compact"]);
  });

  it("one removal exposes the next: a chain of bonds unravels to the end", async () => {
    const w = await given(store);
    await w.accepts(
      batch([
        thought("t1", "g1"),
        callSpan("a", { group: "g1" }),
        resultSpan("a", { group: "g2" }),
        thought("t2", "g2"),
        callSpan("b", { group: "g2" }),
        resultSpan("b", { group: "g3" }),
        big("rule", { origin: "system", group: "g3" }),
        big("free"),
      ]),
    );
    const chain = ["t1", "call:a", "result:a", "t2", "call:b", "result:b"];
    const answer = await w.prunes([...chain, "rule", "free"]);
    expect(answer).toMatchObject({ settlement: "committed", left: ["free"] });
    expect(stays(answer).sort()).toEqual(
      [...chain.map((id) => `${id} bond`), "rule pinned"].sort(),
    );
  });

  it("one removal exposes the next: a replacement that would lack a span is not made", async () => {
    const w = await given(store);
    await w.accepts(batch([big("a"), callSpan("c", { content: long("c") }), big("b")]));
    const answer = await w.prunes([{ consumes: ["a", "call:c", "b"], content: "sum" }]);
    expect(answer).toMatchObject({ settlement: "empty" });
    expect(stays(answer)).toEqual(["call:c open-call", "a bond", "b bond"]);
  });

  it("a sealed span goes whole, and is never replaced alone", async () => {
    const w = await given(store);
    await w.accepts(batch([big("a", { sealed: true }), big("b", { sealed: true })]));
    expect(stays(await w.prunes([{ consumes: ["a"], content: "x" }]))).toEqual(["a sealed"]);
    expect(await w.prunes(["a"])).toMatchObject({ settlement: "committed", left: ["a"] });
  });

  it("an undo over budget: what was undone may not go again in this epoch", async () => {
    const w = await given(store, { budgetTokens: 100 });
    await w.accepts(big("s1", { content: "x".repeat(360) }));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(big("s2", { content: "y".repeat(360) }));
    expect(await w.accepts(undo("e1"))).toMatchObject({ tokens: 180, overBudget: true });
    const answer = await w.prunes(["s1", "s2"]);
    expect(answer).toMatchObject({ settlement: "committed", left: ["s2"] });
    expect(stays(answer)).toEqual(["s1 revived"]);
    await w.accepts({ command: "openEpoch" });
    expect(await w.prunes(["s1"])).toMatchObject({ settlement: "committed", left: ["s1"] });
  });

  it("an undo over budget: the same for what a rewind brought back", async () => {
    const w = await given(store);
    await w.accepts(big("s1"));
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(rewind(1));
    expect(stays(await w.prunes(["s1"]))).toEqual(["s1 revived"]);
    await w.accepts(evict("e3", ["s1"]));
    expect(await w.live()).toEqual([]);
  });

  it("an edit on a stale list: a prune right after an undo sees what the undo left", async () => {
    const w = await given(store);
    await w.accepts(batch([big("s1"), big("s2"), big("s3")]));
    await w.accepts(rewrite("e1", ["s1", "s2"], "sum", "short"));
    await w.accepts(propose("q1", ["sum", "s3"]));
    await w.accepts(undo("e1"));
    await w.refusesLogged(settle("q1", { by: HUMAN }), ["stale-proposal"]);
    const answer = await w.prunes(["s1", "s3"]);
    expect(answer).toMatchObject({ settlement: "committed", left: ["s3"] });
    expect(stays(answer)).toEqual(["s1 revived"]);
  });
});

describe("evidence at settlement", () => {
  const sides = [
    big("a", { content: `k=1\n${long("a")}` }),
    big("b", { content: `k=2\n${long("b")}` }),
    big("e"),
    big("free"),
    fact("c1", { key: "k", value: 1, carrier: "a" }),
    fact("c2", { key: "k", value: 2, carrier: "b" }),
    fact("c3", { carrier: "e", evidence: true }),
  ];
  const all = ["a", "b", "e", "free"];

  it("carry: it goes, and the ledger holds it", async () => {
    const w = await given(memoryStore);
    await w.accepts(batch(sides));
    expect(await w.prunes(all)).toMatchObject({ settlement: "committed", left: all });
    expect((await w.view()).ledger.claims.map(({ claimId }) => claimId)).toEqual([
      "c1",
      "c2",
      "c3",
    ]);
  });

  it("refuse: all that would be lost is named, and nothing goes", async () => {
    const w = await given(memoryStore);
    await w.accepts(batch(sides));
    await w.accepts(propose("q1", all));
    const refusals = await w.refusesLogged(settle("q1", { by: HUMAN, onEvidence: "refuse" }), [
      "conflict-asymmetry",
      "conflict-asymmetry",
      "provenance-orphan",
    ]);
    expect(refusals.map(({ claimId }) => claimId)).toEqual(["c1", "c2", "c3"]);
  });

  it("refuse: what keeps another live carrier is not lost", async () => {
    const w = await given(memoryStore);
    await w.accepts(batch([...sides, big("twin", { content: `${long("e")}!` })]));
    await w.accepts(fact("c3", { carrier: "twin", quote: "e" }));
    await w.accepts(propose("q1", ["e", "free"]));
    expect(await w.send(settle("q1", { by: HUMAN, onEvidence: "refuse" }))).toMatchObject({
      settlement: "committed",
      left: ["e", "free"],
    });
    await w.accepts(propose("q2", ["twin"]));
    await w.refusesLogged(settle("q2", { by: HUMAN, onEvidence: "refuse" }), ["provenance-orphan"]);
  });

  it("unattended: the proposer settles, and no carrier of evidence or conflict goes", async () => {
    const w = await given(memoryStore);
    await w.accepts(batch(sides));
    await w.accepts(decide("d1", ["c3"], { carrier: "free" }));
    await w.accepts(big("more"));
    await w.accepts(propose("q1", [...all, "more"]));
    await w.refuses(settle("q1"), "self-commit");
    const answer = await w.accepts(settle("q1", { unattended: true }));
    expect(answer).toMatchObject({ settlement: "committed", left: ["more"] });
    expect(stays(answer)).toEqual(["a contested", "b contested", "e evidence", "free evidence"]);
    expect((await w.history()).at(-1)?.data).toMatchObject({ unattended: true });
  });

  it("self-commit: the author of the policy that a proposal names does not settle it", async () => {
    const w = await given(memoryStore);
    await w.accepts(big("s1"));
    const document = { name: "p", targetTokens: 0, rank: "1" };
    await w.accepts({ command: "authorPolicy", policyId: "p1", document, by: HUMAN });
    await w.accepts(propose("q1", ["s1"], { policyId: "p1" }));
    await w.refuses(settle("q1", { by: HUMAN }), "self-commit");
    await w.refuses(settle("q1"), "self-commit");
    await w.refuses(settle("q1", { by: MODEL, unattended: true }), "permission-denied");
    await w.refuses(batch([settle("q1")]), "self-commit");
    const other = w.again({ principals: ["host/other"] });
    expect(await other.accepts(settle("q1"))).toMatchObject({ settlement: "committed" });
  });
});
