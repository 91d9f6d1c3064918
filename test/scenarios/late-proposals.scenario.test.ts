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
  retract,
  rewind,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const settled = (proposalId: string, more: Sent = {}) => settle(proposalId, { by: HUMAN, ...more });

describe.each(stores)("a proposal that is late, on $name", (store) => {
  it("a stale proposal: the second of two on one revision is stale", async () => {
    const w = await given(store);
    await w.holds("s1", "s2", "s3");
    await w.accepts(propose("q1", ["s1", "s2"]));
    await w.accepts(propose("q2", ["s2", "s3"]));
    await w.accepts(settled("q1"));
    const [one] = await w.refusesLogged(settled("q2"), ["stale-proposal"]);
    expect(one).toMatchObject({ candidate: "s2" });
    expect(await w.live()).toEqual(["s3"]);
  });

  it("a stale proposal: a claim cited meanwhile is decided on the new state", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(propose("q1", ["s1"]));
    await w.accepts(decide("d1", ["c1"]));
    await w.refusesLogged(settled("q1", { onEvidence: "refuse" }), ["provenance-orphan"]);
  });

  it("a stale proposal: what was pinned or opened meanwhile is retained", async () => {
    const w = await given(store);
    await w.accepts(batch([admit("a", { group: "g" }), admit("b")]));
    await w.accepts(propose("q1", ["a", "b"]));
    await w.accepts(admit("a2", { group: "g", pinned: true }));
    expect(await w.send(settled("q1"))).toMatchObject({
      settlement: "committed",
      left: ["b"],
      retained: [{ spanId: "a", why: "bond" }],
    });
  });

  it("a stale proposal: one that names a span that was not live at its base is refused", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(evict("e1", ["s1"]));
    const base = { baseRevision: 2 };
    await w.accepts(propose("old", ["s1"], base));
    await w.accepts(propose("new", ["s1"]));
    await w.accepts(propose("both", ["s1", "nobody"], base));
    await w.refusesLogged(settled("old"), ["stale-proposal"]);
    await w.refusesLogged(settled("new"), ["recovery-region-addressed"]);
    await w.refusesLogged(settled("both"), ["stale-proposal", "recovery-region-addressed"]);
  });

  it("a stale proposal: rewound away since it is stale, revived it is considered", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(propose("q1", ["s2"]));
    await w.accepts(rewind(1, { as: "e1" }));
    await w.refusesLogged(settled("q1"), ["stale-proposal"]);
    await w.accepts(propose("q2", ["s2"], { baseRevision: 2 }));
    await w.accepts(undo("e1"));
    expect(await w.send(settled("q2"))).toMatchObject({
      settlement: "empty",
      retained: [{ spanId: "s2", why: "revived" }],
    });
  });

  it("three identical summaries: a slow pruner fires three times, one edit", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "x".repeat(400) }));
    await w.accepts(admit("s2", { content: "y".repeat(400) }));
    const summary = [{ consumes: ["s1", "s2"], content: "xy" }];
    for (const id of ["q1", "q2", "q3"]) await w.accepts(propose(id, summary, { by: MODEL }));
    await w.accepts(settled("q1"));
    await w.refusesLogged(settled("q2"), ["stale-proposal", "stale-proposal"]);
    await w.again().refusesLogged(settled("q3"), ["stale-proposal", "stale-proposal"]);
    expect((await w.statuses()).map(({ editId, effect }) => [editId, effect])).toEqual([
      ["e1", "applied"],
    ]);
    expect((await w.contents()).map(([, content]) => content)).toEqual(["xy"]);
  });

  it("three identical summaries: three committers at once, one of them commits", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(propose("q1", ["s1"], { by: MODEL }));
    const handles = [w, w.again(), w.again()];
    await Promise.all(handles.map((one) => one.live()));
    const answers = await Promise.all(handles.map((one) => one.send(settled("q1"))));
    const codes = answers.map((answer) =>
      answer.outcome === "refused" ? answer.refusals[0]?.code : answer.outcome,
    );
    expect(codes.sort()).toEqual(["accepted", "stale-proposal", "stale-proposal"]);
    expect((await w.history()).filter(({ type }) => type === "PruningSettled")).toHaveLength(1);
    expect(await w.live()).toEqual(["s2"]);
  });

  it("three identical summaries: one that loses a race decides on the new state", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(propose("q1", ["s1", "s2"]));
    const other = w.again();
    await other.live();
    await w.accepts(evict("e1", ["s1"]));
    await other.refusesLogged(settled("q1"), ["stale-proposal"]);
    await other.refuses(settled("q1", { expectedRevision: 3 }), "wrong-expected-revision");
  });

  it("a second pass loses nothing: the same again, without new input, prunes nothing more", async () => {
    const w = await given(store);
    await w.holds("s1", "s2", "s3");
    await w.prunes(["s1"]);
    const before = await w.contents();
    expect(await w.prunes(["s1"])).toMatchObject({
      refusals: [{ code: "recovery-region-addressed", what: "a span out of view" }],
    });
    expect(await w.contents()).toEqual(before);
  });

  it("arrived meanwhile: what is admitted while a pruner thinks is untouched", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "x".repeat(400) }));
    await w.accepts(admit("s2", { content: "y".repeat(400) }));
    await w.accepts(propose("q1", [{ consumes: ["s1", "s2"], content: "sum" }]));
    await w.holds("s3");
    await w.accepts(batch([callSpan("c"), admit("s4")]));
    await w.accepts(settled("q1"));
    expect(await w.live()).toEqual(["s8", "s3", "call:c", "s4"]);
    await w.accepts(resultSpan("c"));
    expect((await w.live()).at(-1)).toBe("result:c");
  });

  it("nothing to jump to: a proposal that nobody settled leaves no trace", async () => {
    const w = await given(store);
    await w.holds("s1", "s2");
    const { rendered, tokens } = await w.view();
    await w.accepts(propose("q1", ["s1"]));
    expect(await w.again().view()).toMatchObject({ rendered, tokens });
    await w.accepts(settled("q1"));
    await w.prunes(["s2"]);
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s1"]);
    await w.accepts(undo("e2"));
    expect(await w.live()).toEqual(["s1", "s2"]);
  });

  const words = JSON.stringify(retract("c1"));

  it.each<[string, PruningCandidate, object]>([
    ["a claim id", "c1", { candidate: "c1", what: "a claim" }],
    ["a name for it", "retract:c1", { candidate: "retract:c1" }],
    ["the command itself", words, { candidate: words.slice(0, 80) }],
    ["a replacement of a claim", { consumes: ["c1"], content: words }, { candidate: "c1" }],
  ])("a pruner cannot retract: %s refuses all of it", async (_, candidate, facts) => {
    const w = await given(store);
    await w.holds("s1", "s2");
    await w.accepts(fact("c1", { carrier: "s1" }));
    await w.accepts(propose("q1", ["s2", candidate], { by: MODEL }));
    const refusals = await w.refusesLogged(settled("q1"), ["recovery-region-addressed"]);
    expect(refusals).toMatchObject([facts]);
    expect(await w.standings()).toEqual({ c1: "verified" });
    await w.refuses({ command: "proposePruning", candidates: [retract("c1")] }, "invalid-command");
  });

  it("a summary of a summary grows: a prune that does not shrink is no-gain", async () => {
    const w = await given(store);
    await w.accepts(admit("s1", { content: "four" }));
    const propositions: PruningCandidate[][] = [
      [{ consumes: ["s1"], content: "five " }],
      [{ consumes: ["s1"], content: "same" }],
      [{ consumes: ["s1"], content: "x".repeat(10_000) }],
    ];
    for (const candidates of propositions) {
      const answer = await w.prunes(candidates);
      expect(answer).toMatchObject({ refusals: [{ code: "no-gain", before: 1 }] });
    }
    expect(await w.contents()).toEqual([["s1", "four"]]);
    expect(await w.prunes([{ consumes: ["s1"], content: "" }])).toMatchObject({
      settlement: "committed",
      tokens: 0,
    });
  });

  it("a summary of a summary grows: what the ledger takes up counts", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(fact("c1", { carrier: "s1", evidence: true }));
    expect(await w.prunes(["s1"])).toMatchObject({ refusals: [{ code: "no-gain", before: 3 }] });
    expect(await w.live()).toEqual(["s1"]);
  });
});
