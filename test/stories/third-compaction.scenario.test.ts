import { seededRandom } from "@palimpsest/core/testing";
import { describe, expect, it } from "vitest";
import type { Sent } from "../support/scenarios/commands.ts";
import { admit, evict, propose, rewrite, settle, undo } from "../support/scenarios/commands.ts";
import type { Story } from "../support/scenarios/given.ts";
import { given, HOST, HUMAN, MODEL } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";
import { toolOutput, turn } from "../support/scenarios/transcript.ts";

/*
 * The third compaction. A policy that the model wrote prunes by recency × access frequency, and has
 * no word for recovery records; in systems without them, its third run takes the records of the
 * first two edits along. Here they are not spans, so there is nothing to take.
 */

const POLICY = {
  name: "recency × access frequency with pinned spans",
  targetTokens: 60_000,
  keep: 'span.pinned || span.origin == "user" || span.age < 6',
  rank: "double(span.reads + 1) / double(span.idle + 1)",
};

const random = () => seededRandom(340_000);
const TRACE = `TypeError: budget is undefined\n${toolOutput(random(), 3_000)}`;
const FILE = toolOutput(seededRandom(2), 4_000);

/** Turns whose tool outputs come to about so many tokens. */
async function work(w: Story, part: string, tokens: number, seed: number): Promise<void> {
  const numbers = seededRandom(seed);
  for (let i = 0; i < tokens / 4_000; i += 1) await w.accepts(turn(`${part}.${i}`, numbers, 4_000));
}

async function compact(w: Story): Promise<Sent> {
  const { ids } = await w.accepts({ command: "proposePruning", by: HOST });
  return w.accepts(settle(ids.proposalId, { by: HUMAN }));
}

/** All up to the third compaction: three edits of the model, and three evictions. */
async function givenThirdCompaction(store: StoreKind): Promise<Story> {
  const w = await given(store, { budgetTokens: 400_000 });
  await w.accepts(admit("rules", { origin: "system", content: "Never delete a test." }));
  await w.accepts({ command: "authorPolicy", policyId: "p1", document: POLICY, by: MODEL });
  await w.accepts(turn("trace", seededRandom(1), 10));
  await w.accepts(admit("stack", { origin: "tool", content: TRACE }));
  await w.accepts(admit("file", { origin: "tool", content: FILE }));
  await w.accepts({ command: "openEpoch" });
  await work(w, "one", 200_000, 11);
  await w.accepts({ command: "openEpoch", policyId: "p1" });
  await w.accepts(rewrite("e1", ["stack"], "sum", "TypeError in the retry queue", { by: MODEL }));
  await w.accepts(rewrite("e2", ["file"], "diff", "-budget = 3\n+budget = 7", { by: MODEL }));
  for (let i = 0; i < 40; i += 1) await w.accepts({ command: "markRead", spanIds: ["sum"] });
  await compact(w);
  await work(w, "two", 72_000, 12);
  const echoes = ["call:two.0", "result:two.0", "call:two.1", "result:two.1"];
  await w.accepts(evict("echoes", echoes, { by: MODEL }));
  await compact(w);
  await work(w, "three", 60_000, 13);
  await compact(w);
  return w;
}

describe.each(stores)("the third compaction on $name", (store) => {
  it("leaves the record of every edit; edit 1 undoes to the original bytes", async () => {
    const w = await givenThirdCompaction(store);
    const { ledger, tokens } = await w.view();
    expect(tokens).toBeLessThanOrEqual(60_000);
    expect(ledger).toMatchObject({ edits: 6, records: 6 });
    const edits = await w.statuses();
    expect(edits.map(({ ordinal, verb, recovery }) => [ordinal, verb, recovery])).toEqual([
      [1, "rewrite", "proven"],
      [2, "rewrite", "proven"],
      [3, "evict", "proven"],
      [4, "evict", "proven"],
      [5, "evict", "proven"],
      [6, "evict", "proven"],
    ]);
    const events = await w.history();
    for (const [i, { type, data }] of events.entries()) {
      if (type !== "WindowEdited") continue;
      const record = events[i - 1];
      const { editId, ordinal } = data;
      expect(record).toMatchObject({ type: "RecoveryRecorded", data: { editId, ordinal } });
    }
    expect(await w.live()).toContain("sum");
    await w.accepts(undo("e1"));
    expect(new Map(await w.contents()).get("stack")).toBe(TRACE);
    expect(new Map(await w.again().contents()).get("stack")).toBe(TRACE);
  });

  it("gives back edit 2 as well, whose product a compaction took", async () => {
    const w = await givenThirdCompaction(store);
    expect(await w.live()).not.toContain("diff");
    const { blockers } = await w.refuses(undo("e2"), "stale-edit");
    expect(blockers).toHaveLength(1);
    await w.accepts(undo("e2", { strategy: "cascade" }));
    expect(new Map(await w.contents()).get("file")).toBe(FILE);
  });

  it("is not changed by a policy that names records", async () => {
    const w = await givenThirdCompaction(store);
    await w.holds("more");
    const { rendered, ledger } = await w.view();
    const author = (document: object) => ({ command: "authorPolicy", document, by: MODEL });
    for (const rank of ["record.age", "window.records", "span.edit", "edits[0]", "recovery"]) {
      await w.refuses(author({ ...POLICY, rank }), "invalid-policy");
    }
    const keep = '!(span.id in ["e1", "undo:e1", "echoes"]) && !span.id.startsWith("undo:")';
    await w.accepts(author({ ...POLICY, targetTokens: 0, keep }));
    await w.accepts({ command: "openEpoch" });
    await w.holds("and.more");
    await w.accepts({ command: "openEpoch", policyId: "p2" });
    await w.leaves({ command: "proposePruning" });
    const named = ["result:three.1", "e1", "undo:e1", " UNDO:e2", "echoes", "RecoveryRecorded"];
    await w.accepts(propose("named", named, { policyId: "p2", by: MODEL }));
    const refusals = await w.refusesLogged(
      settle("named", { by: HUMAN }),
      named.slice(1).map(() => "recovery-region-addressed"),
    );
    expect(refusals.map(({ candidate }) => candidate)).toEqual(named.slice(1));
    const now = await w.view();
    expect(now.ledger).toEqual(ledger);
    expect(now.rendered.replace("::span and.more user text\ntext of and.more\n", "")).toBe(
      rendered,
    );
  });
});
