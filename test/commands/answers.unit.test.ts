import type { AcceptedOf, BatchItem, Window, WriteName } from "@palimpsest/core";
import { createMemoryLog, Window as Handle, openWindow } from "@palimpsest/core";
import { expect, it } from "vitest";

/*
 * The types say what each command answers. They are not derived from the rules that decide, so here
 * every command runs, and its answer has the fields of its type and no others.
 */

type Ids<N extends WriteName | "batch"> = keyof AcceptedOf<N>["ids"];
type Fields<N extends WriteName | "batch"> = Exclude<keyof AcceptedOf<N>, Common>;
type Common = "outcome" | "revision" | "events" | "ids" | "tokens" | "overBudget";

/** The answer's ids beside `commandId`, and its fields beside those of every answer. */
type Form<N extends WriteName | "batch"> = readonly [readonly Ids<N>[], ...Fields<N>[]];

const MOVES = ["left", "returned", "firstChanged"] as const;
const PRINCIPALS = ["host/h", "model/m", "human/p"];
const POLICY = { name: "p", targetTokens: 4, rank: "-span.age" };

function formOf(answer: object): unknown[] {
  if (!("ids" in answer) || typeof answer.ids !== "object") return [answer];
  const { outcome, revision, events, ids, tokens, ...more } = answer as Record<string, unknown>;
  expect([outcome, typeof revision, Array.isArray(events), typeof tokens]).toEqual([
    "accepted",
    "number",
    true,
    "number",
  ]);
  const { commandId, ...others } = ids as Record<string, unknown>;
  expect(commandId).toBeTypeOf("string");
  return [Object.keys(others), ...Object.keys(more)];
}

async function given(): Promise<Window> {
  const window = await openWindow(createMemoryLog(), "w", { principals: PRINCIPALS });
  for (const spanId of ["a", "b", "c", "d"]) {
    await window.admit({ spanId, origin: "user", content: `${spanId} `.repeat(40) });
  }
  await window.evict(["d"], { editId: "away" });
  for (const claimId of ["c1", "c2"]) await window.assert({ claimId, statement: claimId });
  return window;
}

const has = <N extends WriteName | "batch">(form: Form<N>): Form<N> => form;

it("openWindow", async () => {
  const window = new Handle(createMemoryLog(), "w");
  const form = has<"openWindow">([["window"]]);
  expect(formOf(await window.execute({ command: "openWindow" }))).toEqual(form);
});

it("commands on spans and edits", async () => {
  const w = await given();
  const sent = async (command: Parameters<Window["executeJson"]>[0]) =>
    formOf(await w.executeJson(command));
  expect(await sent({ command: "admitSpan", origin: "user", content: "x" })).toEqual(
    has<"admitSpan">([["spanId"]]),
  );
  expect(await sent({ command: "markRead", spanIds: ["a"] })).toEqual(has<"markRead">([[]]));
  expect(await sent({ command: "rewrite", consumes: ["a"], content: "y", editId: "e" })).toEqual(
    has<"rewrite">([["spanId", "editId"], ...MOVES]),
  );
  expect(await sent({ command: "evict", consumes: ["b"] })).toEqual(
    has<"evict">([["editId"], ...MOVES]),
  );
  expect(await sent({ command: "undo", editId: "e" })).toEqual(
    has<"undo">([["editId", "target"], ...MOVES]),
  );
  expect(await sent({ command: "redo", editId: "e" })).toEqual(
    has<"redo">([["editId", "target"], ...MOVES]),
  );
  expect(await sent({ command: "rewind", to: 2 })).toEqual(has<"rewind">([["editId"], ...MOVES]));
  expect(await sent({ command: "recall", spanId: "d" })).toEqual(has<"recall">([["spanId"]]));
  expect(await sent({ command: "render" })).toEqual(has<"render">([[], "digest", "rendered"]));
});

it("an undo of several edits, and one that merges", async () => {
  const w = await given();
  const shorten = { spanId: "a2", editId: "e1" };
  await w.rewrite(["a"], "one\ntwo\nthree\nfour", shorten);
  await w.rewrite(["a2"], "one\ntwo\nthree\nFOUR", { spanId: "a3", editId: "e2" });
  const merged = { command: "undo", editId: "e1", strategy: "merge", content: "mine" } as const;
  expect(formOf(await w.execute(merged))).toEqual(has<"undo">([["spanId", "editId"], ...MOVES]));
  const cascade = { command: "undo", editId: "e1", strategy: "cascade" } as const;
  expect(formOf(await w.execute(cascade))).toEqual(has<"undo">([["editIds", "target"], ...MOVES]));
});

it("commands on claims, sources and policies", async () => {
  const w = await given();
  const sent = async (command: object) => formOf(await w.executeJson(command));
  expect(await sent({ command: "assertClaim", statement: "s" })).toEqual(
    has<"assertClaim">([["claimId"]]),
  );
  expect(await sent({ command: "noteConflict", a: "c1", b: "c2" })).toEqual(
    has<"noteConflict">([[]]),
  );
  expect(await sent({ command: "retractClaim", claimId: "c1", reason: "r" })).toEqual(
    has<"retractClaim">([["claimId"]]),
  );
  expect(await sent({ command: "observeSource", uri: "u", digest: null })).toEqual(
    has<"observeSource">([[]]),
  );
  expect(await sent({ command: "authorPolicy", document: POLICY })).toEqual(
    has<"authorPolicy">([["policyId"]]),
  );
  expect(await sent({ command: "openEpoch" })).toEqual(has<"openEpoch">([[]]));
});

it("proposals and settlements", async () => {
  const w = await given();
  const propose = { command: "proposePruning", candidates: ["b", "c"] } as const;
  const settle = { command: "settlePruning", by: "human/p" } as const;
  expect(formOf(await w.execute({ ...propose, proposalId: "q" }))).toEqual(
    has<"proposePruning">([["proposalId"]]),
  );
  expect(formOf(await w.execute({ ...settle, proposalId: "q" }))).toEqual(
    has<"settlePruning">([["editId", "proposalId"], ...MOVES, "settlement", "retained"]),
  );
  await w.execute({ ...propose, candidates: ["nobody"], proposalId: "r" });
  const refused = await w.execute({ ...settle, proposalId: "r" });
  expect(Object.keys(refused)).toEqual(["outcome", "refusals", "revision", "events", "ids"]);
});

it("batches, by their commands", async () => {
  const w = await given();
  const sent = async (...commands: BatchItem[]) =>
    formOf(await w.execute({ command: "batch", commands }));
  const admit = { command: "admitSpan", origin: "user", content: "x" } as const;
  expect(await sent(admit)).toEqual(has<"batch">([["spanId"]]));
  expect(await sent(admit, admit)).toEqual(has<"batch">([["spanIds"]]));
  expect(await sent(admit, { command: "evict", consumes: ["b"] })).toEqual(
    has<"batch">([["spanId", "editId"], ...MOVES]),
  );
});

it("a method gives the same with the ids beside the other fields", async () => {
  const w = await given();
  const { ids, ...fields } = await accepted(w);
  expect(await w.evict(["b"], { commandId: "once" })).toEqual({ ...fields, ...ids });
  expect(await w.rewind((await w.show()).revision)).toEqual({ outcome: "nothing-to-do" });
  const { recovery, lost, editId } = await w.probe("away");
  expect({ recovery, lost, editId }).toEqual({ recovery: "proven", lost: [], editId: "away" });
});

async function accepted(w: Window): Promise<AcceptedOf<"evict">> {
  const answer = await w.execute({ command: "evict", consumes: ["b"], commandId: "once" });
  if (answer.outcome !== "accepted") throw new Error(JSON.stringify(answer));
  return answer;
}
