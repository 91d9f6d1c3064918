import type { AdmitSpan, Answer, EventLog, Json } from "@palimpsest/core";
import { createMemoryLog, Window } from "@palimpsest/core";
import type { KeptHeads, SignerKey } from "@palimpsest/verifier";
import { memoryHeads, signerKey, startVerifier } from "@palimpsest/verifier";
import { written } from "../answers.ts";
import type { TestStore } from "./store.ts";
import { storeOf, WINDOW } from "./store.ts";

/* Valid stores for the damage corpus, made by the library and, where said so, by a verifier. */

export const PRINCIPALS = ["host/h", "model/m", "human/p"];

/** A key for tests alone. */
export const KEY: SignerKey = signerKey("test-verifier", new Uint8Array(32).fill(7));
export const OTHER_KEY: SignerKey = signerKey("test-verifier", new Uint8Array(32).fill(8));

type Sent = object;

/** Runs commands that must all be accepted. */
export async function runAll(log: EventLog, commands: readonly Sent[]): Promise<Answer[]> {
  const window = new Window(log, WINDOW, { principals: PRINCIPALS });
  const answers: Answer[] = [];
  for (const command of commands) {
    const answer = written(await window.executeJson(command));
    if (answer.outcome !== "accepted") {
      throw new Error(`${JSON.stringify(command)} gave ${JSON.stringify(answer)}`);
    }
    answers.push(answer);
  }
  return answers;
}

export function user(spanId: string, more: Partial<AdmitSpan> = {}): AdmitSpan {
  const content = `content of ${spanId}`;
  return { command: "admitSpan", spanId, origin: "user", content, ...more };
}

/** Every verb, bonds of both kinds, a sealed and a pinned span, an open call, a recall, a read. */
const ALGEBRA: readonly Sent[] = [
  { command: "openWindow", budgetTokens: 1_000 },
  user("q"),
  {
    ...user("call", { kind: "tool-call", call: "k", message: { id: "m", index: 0 } }),
    by: "model/m",
    origin: "assistant",
  },
  user("result", { origin: "tool", kind: "tool-result", call: "k" }),
  user("a"),
  user("b"),
  user("c"),
  user("rules", { origin: "system" }),
  { command: "batch", commands: [user("g1", { group: "g" }), user("g2", { group: "g" })] },
  user("seal", { sealed: true }),
  user("x"),
  user("y"),
  { command: "rewrite", editId: "e1", consumes: ["a"], spanId: "a2", content: "shorter a" },
  { command: "rewrite", editId: "e2", consumes: ["b", "c"], spanId: "bc", content: "b and c" },
  { command: "evict", editId: "e3", consumes: ["x"] },
  { command: "undo", editId: "e3", as: "e4" },
  { command: "redo", editId: "e3", as: "e5" },
  { command: "rewrite", editId: "e6", consumes: ["a2"], spanId: "a3", content: "shortest a" },
  { command: "evict", editId: "e7", consumes: ["y"] },
  { command: "undo", editId: "e7", as: "e8" },
  { command: "recall", spanId: "x", as: "x-again" },
  {
    ...user("open", { kind: "tool-call", call: "o", message: { id: "n", index: 0 } }),
    by: "model/m",
    origin: "assistant",
  },
  { command: "markRead", spanIds: ["q", "y"] },
];

/** A conflict with a pruned side, a decision, a retraction, sources, renderings. */
const CLAIMS: readonly Sent[] = [
  { command: "openWindow", budgetTokens: 1_000 },
  user("config", { content: "retry_budget = 3\nother = 1" }),
  user("note", { content: "raised to 7 pending rollout" }),
  user("file", { content: "port 80", source: { uri: "file:p", digest: "0".repeat(64) } }),
  keyed("c3", "3", "config", "retry_budget = 3"),
  keyed("c7", "7", "note", "raised to 7 pending rollout"),
  { command: "assertClaim", claimId: "port", statement: "port is 80", carrier: "file" },
  { command: "assertClaim", claimId: "plain", statement: "a plain fact", carrier: "file" },
  {
    command: "assertClaim",
    claimId: "go",
    kind: "decision",
    statement: "go on",
    because: [{ claim: "c3" }],
  },
  { command: "evict", editId: "e1", consumes: ["config"] },
  { command: "render" },
  { command: "retractClaim", claimId: "port", reason: "it moved" },
  { command: "evict", editId: "e2", consumes: ["file"] },
  { command: "render" },
  { command: "markRead", spanIds: ["note"] },
];

function keyed(claimId: string, value: string, carrier: string, quote: string): Sent {
  const claim = { command: "assertClaim", claimId, statement: `the budget is ${value}` };
  return { ...claim, key: "retry_budget", value, carrier, quote, evidence: true };
}

export function algebraStore(): Promise<TestStore> {
  return made(ALGEBRA);
}

export function claimStore(): Promise<TestStore> {
  return made(CLAIMS);
}

async function made(commands: readonly Sent[]): Promise<TestStore> {
  const log = createMemoryLog();
  await runAll(log, commands);
  return storeOf(log);
}

/** A store with verdicts, every edit probed, and the head kept outside of it. */
export async function verdictStore(): Promise<TestStore> {
  const log = createMemoryLog();
  const heads = memoryHeads();
  await runAll(log, ALGEBRA.slice(0, 8));
  await verdictOn(log, heads);
  await runAll(log, CLAIMS.slice(1, 10));
  await verdictOn(log, heads);
  return storeOf(log, await heads.get(WINDOW));
}

/** Lets a verifier say what it has to say. */
export async function verdictOn(log: EventLog, heads: KeptHeads, key = KEY): Promise<void> {
  const running = startVerifier(log, { key, heads, quietMs: 0, probesPerSecond: 100_000 });
  await running.idle();
  await running.stop();
}

const DOCUMENT = { name: "oldest first", targetTokens: 20, rank: "0 - span.age" };

/** Two policies, three epochs, a settlement of each outcome, one of them open. */
const POLICY: readonly Sent[] = [
  { command: "openWindow", budgetTokens: 1_000 },
  ...["a", "b", "c", "d", "e"].map((spanId) => user(spanId)),
  user("pinned", { pinned: true }),
  { command: "authorPolicy", policyId: "p1", document: DOCUMENT, by: "model/m" },
  { command: "openEpoch" },
  user("f"),
  { command: "openEpoch", policyId: "p1" },
  {
    command: "authorPolicy",
    policyId: "p2",
    document: { ...DOCUMENT, targetTokens: 30 },
    by: "model/m",
  },
  proposal("committed", ["a", { consumes: ["b", "c"], content: "b, c" }]),
  { command: "settlePruning", proposalId: "committed" },
  proposal("empty", ["pinned"]),
  { command: "settlePruning", proposalId: "empty" },
  proposal("refused", ["d"]),
  { command: "settlePruning", proposalId: "refused", decision: "refuse" },
  user("g"),
  proposal("open", ["d"]),
];

function proposal(proposalId: string, candidates: readonly Json[]): Sent {
  const propose = { command: "proposePruning", proposalId, policyId: "p1", by: "model/m" };
  return { ...propose, candidates };
}

export function policyStore(): Promise<TestStore> {
  return made(POLICY);
}
