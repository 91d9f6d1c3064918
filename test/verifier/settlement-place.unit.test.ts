import type { AssertClaim, BatchItem, PruningCandidate, SettlePruning } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { expect, it } from "vitest";
import { runAll, user } from "../support/verifier/bases.ts";

/* Design §6: a settlement is judged on the state of its moment, and not of its append's end. */

type Sent = BatchItem;

const LONG = "words ".repeat(100);
const propose = (proposalId: string, ...candidates: readonly PruningCandidate[]): Sent => {
  return { command: "proposePruning", proposalId, by: "model/m", candidates };
};
const settle = (proposalId: string, more: Partial<SettlePruning> = {}): Sent => {
  return { command: "settlePruning", proposalId, by: "human/p", ...more };
};
const evict = (editId: string, ...consumes: readonly string[]): Sent => {
  return { command: "evict", editId, consumes };
};
const undo = (editId: string): Sent => ({ command: "undo", editId });
const fact = (more: Partial<AssertClaim> = {}): Sent => {
  return { command: "assertClaim", claimId: "c", statement: "it says words", ...more };
};

const long = ["s1", "s2"].map((spanId) => user(spanId, { content: LONG }));
const revived = [evict("out", "s2"), undo("out")];

interface Accepted {
  readonly says: string;
  readonly before: readonly Sent[];
  readonly batch: readonly Sent[];
  readonly outcome?: string;
}

const accepted: readonly Accepted[] = [
  {
    says: "before a larger span is admitted",
    before: [propose("q", "s1")],
    batch: [settle("q"), user("more", { content: LONG.repeat(3) })],
  },
  {
    says: "after a larger span was admitted",
    before: [],
    batch: [user("more", { content: LONG.repeat(3) }), propose("q", "s1"), settle("q")],
  },
  {
    says: "before it is rewound away",
    before: [propose("q", "s1")],
    batch: [settle("q"), { command: "rewind", to: 2 }],
  },
  {
    says: "and another one, of which each makes the window smaller",
    before: [propose("q", "s1"), propose("r", "s2")],
    batch: [settle("q"), settle("r")],
  },
  {
    says: "before a span that it retained is evicted",
    before: [...revived, propose("q", "s1", "s2")],
    batch: [settle("q"), evict("direct", "s2")],
  },
  {
    says: "that retained all there was, before that is evicted",
    before: [...revived, propose("q", "s2")],
    batch: [settle("q"), evict("direct", "s2")],
    outcome: "empty",
  },
  {
    says: "before the claim whose carrier it took is called evidence",
    before: [fact({ carrier: "s1" }), propose("q", "s1")],
    batch: [settle("q", { unattended: true }), fact({ evidence: true })],
  },
  {
    says: "that may lose no evidence, before its other carrier is evicted",
    before: [fact({ carrier: "s1", evidence: true }), fact({ carrier: "s2" }), propose("q", "s1")],
    batch: [settle("q", { onEvidence: "refuse" }), evict("direct", "s2")],
  },
];

it.each(accepted)("holds for a settlement $says, in one append", async (one) => {
  const log = createMemoryLog();
  const batch = { command: "batch", commands: one.batch };
  await runAll(log, [{ command: "openWindow" }, ...long, ...one.before, batch]);
  const { status, findings, counts } = await verifyWindow(log, "w");
  expect({ status, findings }).toEqual({ status: "holds", findings: [] });
  const settlements = one.batch.filter(({ command }) => command === "settlePruning").length;
  expect(counts.settled).toBe(one.outcome === "empty" ? 0 : settlements);
});

it("holds for a settlement that is undone in its append", async () => {
  const log = createMemoryLog();
  // The edit of a settlement gets the next number for its id.
  const batch = { command: "batch", commands: [settle("q"), undo("e1")] };
  await runAll(log, [{ command: "openWindow" }, ...long, propose("q", "s1"), batch]);
  expect(await verifyWindow(log, "w")).toMatchObject({ status: "holds", edits: 2 });
});
