import type { Json } from "../json/json.ts";

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

/** A refusal: its code, one sentence for a person, and the facts behind it under further keys. */
export interface Refusal {
  readonly code: RefusalCode;
  /** What was wrong and what to do. */
  readonly message: string;
  readonly [detail: string]: Json;
}

export function refusal(
  code: RefusalCode,
  message: string,
  details: Readonly<Record<string, Json>> = {},
): Refusal {
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
