import type { PruningCandidate } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import {
  admit,
  batch,
  callSpan,
  propose,
  resultSpan,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import { given, HUMAN, MODEL } from "../support/scenarios/given.ts";
import { stores } from "../support/scenarios/stores.ts";

const settled = (proposalId: string, more: Sent = {}) => settle(proposalId, { by: HUMAN, ...more });

describe.each(stores)("a settlement on $name", (store) => {
  it("refused but reported as done: the answer says what came of it, and the counters agree", async () => {
    const w = await given(store);
    await w.holds("s1", "s2", "s3");
    await w.accepts(propose("q1", ["s1", "s3"], { by: MODEL, rationale: "old" }));
    const answer = await w.accepts(settled("q1"));
    expect(answer).toEqual({
      outcome: "accepted",
      revision: 7,
      events: ["RecoveryRecorded", "WindowEdited", "PruningSettled"],
      ids: { commandId: expect.any(String), editId: "e1", proposalId: "q1" },
      tokens: 3,
      left: ["s1", "s3"],
      returned: [],
      firstChanged: 1,
      settlement: "committed",
      retained: [],
    });
    const { ledger, gaps } = await w.view();
    expect(ledger).toMatchObject({ edits: 1, records: 1, outOfView: 2 });
    expect(gaps).toEqual([
      { after: null, spans: ["s1"], edits: ["e1"] },
      { after: "s2", spans: ["s3"], edits: ["e1"] },
    ]);
    expect((await w.history()).at(-2)?.data).toMatchObject({ editId: "e1", proposalId: "q1" });
    expect((await w.history()).at(-1)?.data).toEqual({
      proposalId: "q1",
      outcome: "committed",
      retained: [],
      refusals: [],
      onEvidence: "carry",
      unattended: false,
    });
    await w.accepts(undo("e1"));
    expect(await w.live()).toEqual(["s1", "s2", "s3"]);
  });

  it("refused but reported as done: a person declines, and nothing changes", async () => {
    const w = await given(store);
    await w.holds("s1");
    await w.accepts(propose("q1", ["s1"]));
    const before = (await w.view()).rendered;
    const answer = await w.accepts(settled("q1", { decision: "refuse", reason: "I need it" }));
    expect(answer).toMatchObject({ settlement: "refused", events: ["PruningSettled"] });
    expect((await w.view()).rendered).toBe(before);
    expect((await w.history()).at(-1)?.data).toMatchObject({
      outcome: "refused",
      refusals: [{ code: "declined", message: "I need it" }],
    });
    await w.refuses(settled("q1"), "stale-proposal", { proposalId: "q1" });
  });

  it("one evict over all ids, one rewrite for each replacement, one append", async () => {
    const w = await given(store);
    for (const id of ["a", "b", "c", "d", "e"]) {
      await w.accepts(admit(id, { content: `${id} `.repeat(50) }));
    }
    const answer = await w.prunes([
      { consumes: ["e"], content: "E" },
      "a",
      { consumes: ["b", "c"], content: "B" },
      "a",
    ]);
    expect(answer).toMatchObject({ settlement: "committed", left: ["a", "b", "c", "e"] });
    const events = (await w.history()).slice(-7);
    expect(events.map(({ type, data }) => ("verb" in data ? data.verb : type))).toEqual([
      ...["RecoveryRecorded", "evict", "RecoveryRecorded", "rewrite"],
      ...["RecoveryRecorded", "rewrite", "PruningSettled"],
    ]);
    expect(events.map(({ metadata }) => `${metadata.index}/${metadata.count}`)).toEqual(
      [0, 1, 2, 3, 4, 5, 6].map((index) => `${index}/7`),
    );
    expect((await w.contents()).map(([, content]) => content)).toEqual(["B", "d ".repeat(50), "E"]);
  });

  it("all is retained: nothing left to prune is empty, without an edit", async () => {
    const w = await given(store);
    await w.accepts(admit("rule", { origin: "system" }));
    await w.accepts(callSpan("open"));
    const before = (await w.view()).rendered;
    expect(await w.prunes(["rule", "call:open"])).toEqual({
      outcome: "accepted",
      revision: 4,
      events: ["PruningSettled"],
      ids: { commandId: expect.any(String), proposalId: "q1" },
      tokens: 8,
      settlement: "empty",
      retained: [
        { spanId: "rule", why: "pinned" },
        { spanId: "call:open", why: "open-call" },
      ],
    });
    expect((await w.view()).rendered).toBe(before);
    expect(await w.statuses()).toEqual([]);
  });

  it.each<[string, readonly PruningCandidate[]]>([
    ["no candidate at all", []],
    ["a replacement by the same content", [{ consumes: ["s1"], content: "text of s1" }]],
  ])("all is retained: %s", async (_, candidates) => {
    const w = await given(store);
    await w.holds("s1");
    expect(await w.prunes(candidates)).toMatchObject({ settlement: "empty" });
    expect(await w.statuses()).toEqual([]);
  });

  it("a settlement never widens: in whatever order, the same spans go", async () => {
    const candidates = ["a", "call:c", "rule", "b"];
    const results = [];
    for (const order of [candidates, candidates.toReversed(), [...candidates, ...candidates]]) {
      const w = await given(store);
      await w.holds("a", "b", "other");
      await w.accepts(batch([callSpan("c"), resultSpan("c")]));
      await w.accepts(admit("rule", { origin: "system" }));
      const answer = await w.prunes(order);
      expect(answer).toMatchObject({ settlement: "committed", left: ["a", "b"] });
      results.push((await w.view()).rendered);
    }
    expect(new Set(results).size).toBe(1);
  });
});

it("a preview shows a replacement by null as null, as the window would", async () => {
  const principals = ["host/pruner", "human/p"];
  const window = await openWindow(createMemoryLog(), "w", { principals });
  await window.admit({ spanId: "s", origin: "tool", content: "long ".repeat(50) });
  await window.propose({ proposalId: "q", candidates: [{ consumes: ["s"], content: null }] });
  const settle = { command: "settlePruning", proposalId: "q", by: "human/p" } as const;
  const preview = await window.preview(settle);
  await window.execute(settle);
  expect(preview.after.rendered).toBe((await window.show()).rendered);
  expect(preview.after.rendered).toContain("\nnull\n");
});
