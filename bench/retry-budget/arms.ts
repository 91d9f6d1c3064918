import type { ClaimExtractor, Extraction } from "@palimpsest/claims";
import { claimFinder, deterministicExtractor } from "@palimpsest/claims";
import type { Json, ReadyPolicy, Window } from "@palimpsest/core";
import { createMemoryLog, openWindow, readyPolicy } from "@palimpsest/core";
import type { Reading } from "./reader.ts";
import { readTask } from "./reader.ts";
import type { Task } from "./task.ts";

/** Who makes claims: nobody (plain evicts), the extractor alone, or the agent as well. */
export type Keeping = "plain" | "extracted" | "asserted" | "asserted-early" | "asserted-carried";

export interface Arm {
  readonly name: string;
  readonly policy: "salience" | ReadyPolicy;
  readonly keeping: Keeping;
}

const of = (letter: string, policy: Arm["policy"], keeping: Keeping): Arm => ({
  name: `${letter} ${policy} ${keeping}`,
  policy,
  keeping,
});

/** The arms; (a) and (b) are what the others are compared with. */
export const ARMS: readonly Arm[] = [
  of("a", "salience", "plain"),
  of("b", "recency-frequency", "plain"),
  of("c", "salience", "extracted"),
  of("c", "recency-frequency", "extracted"),
  of("d", "salience", "asserted"),
  of("d", "recency-frequency", "asserted"),
];

/**
 * Harder ones: the agent decides before anybody contests it and says nothing later, or it decides
 * in a message that carries the decision, so that the ledger leaves it out while that message is
 * live.
 */
export const HARDER_ARMS: readonly Arm[] = [
  of("e", "salience", "asserted-early"),
  of("e", "recency-frequency", "asserted-early"),
  of("f", "salience", "asserted-carried"),
  of("f", "recency-frequency", "asserted-carried"),
];

/** A third of the 180,000 tokens of a task. */
export const TARGET_TOKENS = 60_000;

const HARNESS = "host/harness";
const AGENT = "model/agent";

export interface Outcome extends Reading {
  readonly tokens: number;
  readonly ledgerTokens: number;
  /** Mean of the tokens left by each pruning. */
  readonly retained: number;
  readonly admitted: number;
}

export async function runArm(task: Task, arm: Arm, target: number): Promise<Outcome> {
  const finding = arm.keeping === "plain" ? {} : { finder };
  const principals = [HARNESS, AGENT];
  const budgetTokens = 200_000;
  const window = await openWindow(createMemoryLog(), "w", { principals, ...finding, budgetTokens });
  await window.authorPolicy(policyText(arm.policy, target), { policyId: "p", by: AGENT });
  const left: number[] = [];
  let admitted = 0;
  let tokens = 0;
  for (const [turn, { admit, read }] of task.turns.entries()) {
    const done = await window.batch(admit);
    if (done.outcome === "accepted") {
      admitted += done.tokens - tokens;
      tokens = done.tokens;
    }
    // A policy is not active in the epoch it was written in, nor opened by the end of that epoch.
    if (turn === 0) await window.openEpoch();
    await readAgain(window, read);
    if (arm.keeping.startsWith("asserted") && turn === task.decision.turn) {
      tokens = await assertDecision(window, task, arm.keeping === "asserted-carried");
    }
    if (!task.prunes.includes(turn)) continue;
    await closeEpoch(window, task, turn);
    tokens = await pruneWith(window, arm.keeping === "plain");
    left.push(tokens);
  }
  const view = await window.show();
  return {
    ...readTask(task, view.rendered),
    tokens: view.tokens,
    ledgerTokens: view.ledger.tokens,
    retained: left.reduce((sum, one) => sum + one, 0) / left.length,
    admitted,
  };
}

/**
 * What was said, read, worked with and last seen counts; size counts against it. It names none of
 * the facts that only a window with claims has, so that every arm runs the same policy.
 */
export function policyText(policy: Arm["policy"], targetTokens: number): string {
  if (policy !== "salience") return readyPolicy(policy, targetTokens);
  return JSON.stringify({
    name: "salience",
    targetTokens,
    keep: 'span.pinned || span.origin == "system" || span.age < 10',
    rank:
      '(span.origin == "user" ? 3.0 : 0.0) + (span.kind == "text" ? 2.0 : 0.0) + ' +
      '(span.status == "error" ? 2.0 : 0.0) + ' +
      "double(span.reads) * 2.0 - double(span.age) / 40.0 - double(span.tokens) / 4000.0",
  });
}

/**
 * The agent looks at a result, and so at its call, without which it makes no sense. Nobody reads
 * what is out of view: such a command is refused, and the agent goes on.
 */
async function readAgain(window: Window, spanIds: readonly string[]): Promise<void> {
  for (const id of new Set(spanIds)) {
    await window.execute({ command: "markRead", spanIds: [id] });
    await window.execute({ command: "markRead", spanIds: [`${id}-call`] });
  }
}

/** The sources are looked at, and the first pruning puts the policy in force. */
async function closeEpoch(window: Window, { source, prunes }: Task, turn: number) {
  if (source !== undefined && turn >= source.from) {
    await window.observe(source.uri, source.digest);
  }
  await window.openEpoch(turn === prunes[0] ? { policyId: "p" } : {});
}

/** Plain: what the policy picks is evicted, and nobody settles anything. */
async function pruneWith(window: Window, plain: boolean): Promise<number> {
  if (!plain) {
    const done = await window.prune();
    return done.outcome === "accepted" ? done.tokens : (await window.show()).tokens;
  }
  const proposed = await window.propose();
  if (proposed.outcome !== "accepted") return (await window.show()).tokens;
  const event = (await window.history()).at(-1);
  if (event?.type !== "PruningProposed") throw new TypeError("the last event is not a proposal");
  return (await window.evict(event.data.candidates.map(idOf))).tokens;
}

function idOf(candidate: string | { readonly consumes: readonly string[] }): string {
  if (typeof candidate !== "string") throw new TypeError("a policy proposes ids alone");
  return candidate;
}

/**
 * The agent says what it decides and which words it rests on; it says nothing of a conflict. No
 * message carries the decision, so it has a line in the ledger from then on.
 */
async function assertDecision(window: Window, task: Task, carried: boolean): Promise<number> {
  const { decision, first, second } = task;
  const reasons = [first, ...(second !== undefined && decision.knowsBoth ? [second] : [])];
  const because: Json[] = [];
  for (const { spanId, line } of reasons) {
    const said = { statement: line.trim(), carrier: spanId, quote: line, by: AGENT };
    because.push({ claim: (await window.assert(said)).claimId });
  }
  const done = await window.assert({
    kind: "decision",
    statement: decision.statement,
    because: because as { claim: string }[],
    ...(carried && { carrier: decision.spanId, quote: decision.statement }),
    by: AGENT,
  });
  return done.tokens;
}

let extractions = new Map<string, Extraction>();
const MOST_REMEMBERED = 2_000;

/** Filler comes again in every task; what an extractor proposes of a span is always the same. */
const remembering: ClaimExtractor = {
  name: "deterministic, remembered",
  async extract(span) {
    const { id, origin, kind, text, tool = "", source = "" } = span;
    if (!/^f\d+$/.test(id)) return deterministicExtractor.extract(span);
    const key = [id, origin, kind, tool, source, text.length, text.slice(0, 200)].join("\n");
    const known = extractions.get(key);
    if (known !== undefined) return known;
    const found = await deterministicExtractor.extract(span);
    if (extractions.size >= MOST_REMEMBERED) extractions = new Map();
    extractions.set(key, found);
    return found;
  },
};

const finder = claimFinder({ extractor: remembering });
