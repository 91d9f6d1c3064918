import type { AuthorPolicy, OpenEpoch } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  fact,
  propose,
  rewind,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HOST, HUMAN, MODEL } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

const author = (policyId: string, more: Partial<AuthorPolicy> = {}): AuthorPolicy => ({
  command: "authorPolicy",
  policyId,
  document: { name: policyId, targetTokens: 4, rank: "-span.age" },
  by: MODEL,
  ...more,
});
const open = (policyId?: string, more: Partial<OpenEpoch> = {}): OpenEpoch => ({
  command: "openEpoch",
  policyId,
  ...more,
});
const SOURCE = { uri: "file:a", digest: contentDigest("text of s2") };
const words = (spanId: string) => admit(spanId, { by: MODEL, origin: "assistant" });

/** Epoch 2, in which p1 of epoch 1 may be opened, and a user has spoken. */
async function givenPolicy(store: StoreKind): Promise<Story> {
  const w = await given(store);
  await w.holds("s1");
  await w.accepts(author("p1"));
  await w.accepts(open());
  await w.holds("s2");
  return w;
}

describe.each(stores)("a policy on $name", (store) => {
  it("a policy of the same epoch is not active in the epoch it was authored in", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(author("p1"));
    await w.refuses(open("p1"), "policy-same-epoch", { policyId: "p1", epoch: 1 });
    await w.refuses({ command: "proposePruning", policyId: "p1" }, "policy-same-epoch");
    await w.refuses({ command: "proposePruning" }, "unknown-policy");
    expect((await w.view()).epoch).toBe(1);
  });

  it("a policy of the same epoch is not active in the same batch, with an epoch in between", async () => {
    const w = await givenPolicy(store);
    await w.refuses(batch([author("p2"), open("p2")]), "policy-same-epoch", { step: 1 });
    const silent = [author("p2"), open(), open("p2")];
    await w.refuses(batch(silent), "policy-same-epoch", { step: 2, epoch: 3 });
    await w.refuses(batch([open("p1"), author("p2"), open("p2")]), "policy-same-epoch");
    const fed = [author("p2"), open(), admit("s3"), open("p2")];
    await w.refuses(batch(fed), "policy-same-epoch", { step: 3, policyId: "p2", epoch: 3 });
    expect(await w.view()).toMatchObject({ epoch: 2 });
    expect(await w.window.policies()).toHaveLength(1);
    await w.accepts(batch(fed.slice(0, -1)));
    await w.accepts(open("p2", { by: HUMAN }));
    await w.holdsUp();
  });

  it("a policy of the same epoch is not active after an epoch in which only the model spoke", async () => {
    const w = await given(store);
    await w.refuses(open(), "epoch-not-open", { epoch: 1 });
    await w.accepts(author("p1"));
    await w.accepts(words("s1"));
    await w.refuses(open(), "epoch-not-open", { epoch: 1 });
    await w.holds("s2");
    await w.accepts(open());
    await w.accepts(words("s3"));
    await w.refuses(open("p1"), "epoch-not-open", { epoch: 2 });
    await w.accepts(admit("s4", { origin: "tool" }));
    await w.accepts(open("p1"));
    expect((await w.window.policies()).map(({ active, epochs }) => [active, epochs])).toEqual([
      [true, [3]],
    ]);
  });

  it.each([
    ["a system span", admit("x", { origin: "system" })],
    ["a host's span", admit("x", { origin: "host" })],
    ["the model's span", words("x")],
    ["a recall of the user's words", { command: "recall", spanId: "s1", by: MODEL }],
    ["a rewrite", { command: "rewrite", consumes: ["s2"], content: "x" }],
    ["a rewind", rewind(1)],
    ["a claim", { command: "assertClaim", statement: "x" }],
    ["a source", { command: "observeSource", uri: "u", digest: null }],
  ])(
    "a policy of the same epoch: %s is not an input of the epoch it closes",
    async (_, command) => {
      const w = await givenPolicy(store);
      await w.accepts({ command: "evict", consumes: ["s1"] });
      await w.accepts(open());
      await w.accepts(command);
      await w.refuses(open("p1"), "epoch-not-open", { epoch: 3 });
    },
  );

  it("a policy of the same epoch: its author does not open an epoch with it, another does", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(author("p1", { by: HOST }));
    await w.accepts(open());
    await w.holds("s2");
    await w.refuses(open("p1"), "permission-denied", { policyId: "p1" });
    await w.refuses(open("p1", { by: MODEL }), "permission-denied");
    await w.accepts(open("p1", { by: HUMAN }));
    await w.holds("s3");
    await w.accepts(open());
    expect((await w.window.policies())[0]).toMatchObject({ active: true, epochs: [3, 4] });
    await w.holdsUp();
  });

  it("stays through the epochs that name none, until another is named", async () => {
    const w = await givenPolicy(store);
    await w.accepts(author("p2"));
    await w.accepts(open("p1"));
    await w.holds("s3");
    await w.accepts(open());
    await w.holds("s4");
    await w.accepts(open("p2"));
    await w.holds("s5");
    await w.accepts(open("p1"));
    const policies = await w.again().window.policies();
    expect(
      policies.map(({ policyId, epoch, epochs, active }) => [policyId, epoch, epochs, active]),
    ).toEqual([
      ["p1", 1, [3, 4, 6], true],
      ["p2", 2, [5], false],
    ]);
  });

  it("picks in the active epoch, as one principal; another one settles", async () => {
    const w = await givenPolicy(store);
    await w.accepts(open("p1"));
    const { ids } = await w.accepts({ command: "proposePruning", by: MODEL });
    expect((await w.history()).at(-1)?.data).toEqual({
      proposalId: "q1",
      policyId: "p1",
      baseRevision: 5,
      candidates: ["s1"],
    });
    await w.refuses(settle(ids.proposalId, { by: MODEL }), "permission-denied");
    expect(await w.accepts(settle("q1"))).toMatchObject({ settlement: "committed", left: ["s1"] });
    await w.leaves({ command: "proposePruning" });
  });

  it.each<[string, Sent]>([
    ["that is the carrier of a claim", fact("c1", { carrier: "s2" })],
    ["that a claim quotes", fact("c1", { because: [{ span: "s2", quote: "text" }] })],
    ["that was marked so", { command: "markRead", spanIds: ["s2"] }],
    ["that was read again from its source", admit("again", { source: SOURCE })],
  ])("counts a span as read %s", async (_, command) => {
    const w = await given(store);
    await w.holds("s1");
    const document = { name: "read", targetTokens: 0, keep: "span.reads == 0", rank: "1" };
    await w.accepts(author("p1", { document }));
    await w.accepts(open());
    await w.accepts(admit("s2", { source: SOURCE }));
    await w.accepts(open("p1"));
    await w.leaves({ command: "proposePruning" });
    await w.accepts(command);
    await w.accepts({ command: "proposePruning" });
    expect((await w.history()).at(-1)?.data).toMatchObject({ candidates: ["s2"] });
  });

  it("a rewind keeps the ledgers: epochs and policies do not go back", async () => {
    const w = await givenPolicy(store);
    await w.accepts(open("p1"));
    await w.accepts(rewind(1, { as: "e1" }));
    expect(await w.view()).toMatchObject({ epoch: 3, spans: [{ spanId: "s1" }] });
    expect(await w.window.policies()).toMatchObject([{ policyId: "p1", active: true }]);
    await w.accepts(undo("e1"));
    expect(await w.again().view()).toMatchObject({ epoch: 3 });
  });

  it("keeps its text and the diff against the one before, word for word", async () => {
    const w = await given(store);
    const text = '{"name":"a","targetTokens":1,"rank":"1"}';
    await w.accepts(author("p1", { document: text }));
    await w.accepts(author("p2", { document: text.replace('"1"', '"2"') }));
    expect(await w.window.policies()).toMatchObject([
      { policyId: "p1", by: MODEL, text, previous: null },
      {
        policyId: "p2",
        previous: "p1",
        diff: expect.stringContaining(`-${text}\n`),
        text: text.replace('"1"', '"2"'),
      },
    ]);
    await w.refuses(author("p2"), "id-taken", { policyId: "p2" });
    await w.refuses(propose("q1", [], { policyId: "p3" }), "unknown-policy");
  });
});
