import type { Plan } from "./plan.ts";

/** Why a command was refused. The list is the contract of design §8. */
export type RefusalCode =
  | "invalid-command"
  | "command-id-reused"
  | "permission-denied"
  | "wrong-expected-revision"
  | "window-not-open"
  | "window-exists"
  | "unknown-span"
  | "unknown-edit"
  | "id-taken"
  | "span-not-live"
  | "not-contiguous"
  | "already-undone"
  | "not-undone"
  | "stale-edit"
  | "already-merged"
  | "not-mergeable"
  | "merge-conflict"
  | "superseded"
  | "irreversible-edit"
  | "closure-broken"
  | "out-of-range"
  | "cascade-too-large"
  | "bond-broken"
  | "open-call"
  | "duplicate-result"
  | "call-not-live"
  | "pinned"
  | "content-too-large"
  | "unknown-claim"
  | "quote-not-found"
  | "claim-not-visible"
  | "claim-retracted"
  | "ledger-full"
  | "unknown-proposal"
  | "unknown-policy"
  | "provenance-orphan"
  | "conflict-asymmetry"
  | "recovery-region-addressed"
  | "stale-proposal"
  | "self-commit"
  | "policy-same-epoch"
  | "epoch-not-open"
  | "invalid-policy"
  | "no-gain";

/** The facts behind a refusal; which of them are there depends on its code. */
export interface RefusalDetails {
  /** The span it is about. */
  readonly spanId?: string;
  /** The edit it is about. */
  readonly editId?: string;
  /** The claim it is about. */
  readonly claimId?: string;
  /** The policy it is about. */
  readonly policyId?: string;
  /** The proposal it is about. */
  readonly proposalId?: string;
  /** The tool call it is about. */
  readonly call?: string;
  /** The tool calls it is about. */
  readonly calls?: readonly string[];
  /** The group of spans it is about. */
  readonly group?: string;
  /** Ids of the spans of a call or of a group. */
  readonly spans?: readonly string[];
  /** Ids of the windows that are open in the store; the command line says so. */
  readonly windows?: readonly string[];
  /** What a proposal names and must not name, cut at 80 characters. */
  readonly candidate?: string;
  /** What the candidate is, in words. */
  readonly what?: string;
  /** Words that were not found, or do not hold the value. */
  readonly quote?: string;
  /** What is wrong with a policy, one sentence each. */
  readonly problems?: readonly string[];
  /** Name of the tokenizer that this process does not know. */
  readonly tokenizer?: string;

  /** Revision of the content that is lost. */
  readonly revision?: number;
  /** The revision that was to be looked at. */
  readonly at?: number;
  /** The revision that was to be rewound to. */
  readonly to?: number;
  /** Budget of the window; null: it has none. Of an import that was begun with another. */
  readonly budget?: number | null;
  /** The last revision that there is. */
  readonly last?: number;
  /** The nearest revision that a rewind may go to. */
  readonly nearest?: number;
  /** The revision to rewind to instead. */
  readonly rewindTo?: number;
  /** The `expectedRevision` of the command. */
  readonly expected?: number | "no-stream";
  /** The revision of the window; null: it is not open. */
  readonly actual?: number | null;
  /** The epoch of this moment. */
  readonly epoch?: number;

  /** Ids of the edits in the way. */
  readonly blockers?: readonly string[];
  /** What a cascade would do. */
  readonly plan?: Plan;
  /** Number of edits that a cascade would undo. */
  readonly edits?: number;
  /** Ids of edits that are not closed. */
  readonly unclosed?: readonly string[];
  /** Of an edit that is not closed: its record is missing or does not fit. */
  readonly recovery?: "missing";
  /** Number of live spans that lie between those to rewrite. */
  readonly between?: number;
  /** Of a merge: the text that the edit made. */
  readonly base?: string;
  /** Of a merge: the text that the edit took. */
  readonly theirs?: string;
  /** Of a merge: the text that stands there now. */
  readonly ours?: string;

  /** Tokens of the window before. */
  readonly before?: number;
  /** Tokens of the window after what would gain nothing. */
  readonly after?: number;
  /** Tokens that what the model says would fill in the ledger. */
  readonly tokens?: number;
  /** The most there may be: tokens of the ledger, or bytes of an append. */
  readonly limit?: number;

  /** Place in a batch, from 0, of the command that is refused. */
  readonly step?: number;
  /** Number of further refusals that are not listed. */
  readonly more?: number;
}

/** A refusal: its code, one sentence for a person, and the facts behind it. */
export interface Refusal extends RefusalDetails {
  /** The reason, in the words of the contract. */
  readonly code: RefusalCode;
  /** What was wrong and what to do. */
  readonly message: string;
}

export function refusal(code: RefusalCode, message: string, details: RefusalDetails = {}): Refusal {
  return { code, message, ...details };
}

/** Most refusals in one answer or one record; the rest is counted. */
const MAX_REFUSALS = 100;

/** A command may name a million strangers; its answer stays readable. */
export function bounded(refusals: readonly Refusal[]): readonly Refusal[] {
  const next = refusals[MAX_REFUSALS];
  if (next === undefined) return refusals;
  const more = refusals.length - MAX_REFUSALS;
  const message = `and ${more} more refusals, the next of them: ${next.message}`;
  return [...refusals.slice(0, MAX_REFUSALS), { code: next.code, message, more }];
}

export function windowNotOpen(): Refusal {
  return refusal("window-not-open", "the window is not open: send openWindow first");
}

export function unknownEdit(editId: string): Refusal {
  return refusal(
    "unknown-edit",
    `no edit ${editId} was ever made in this window: look at status for ids`,
    { editId },
  );
}
