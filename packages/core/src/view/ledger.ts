import type { Claim } from "../state/claims.ts";
import { claimAt, isWithdrawn, liveCarriers, standingOf } from "../state/claims.ts";
import { fallenGrounds, hasFallen } from "../state/fallen.ts";
import { closedConflicts, isProtected, openConflicts } from "../state/protection.ts";
import type { WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import { oneLineJson } from "./text.ts";

/** One claim of the evidence ledger: what the model must not lose sight of. */
export interface LedgerClaim {
  readonly claim: Claim;
  readonly contestedBy: readonly Claim[];
  /** Live span that carries it, of least position. */
  readonly live: string | undefined;
  /** A carrier, unsealed if there is one, when no live span carries it: what to recall. */
  readonly recall: string | undefined;
}

/**
 * The claims that the ledger shows: both sides of every open conflict first, then whatever is
 * protected or has no carrier, if it is carried by no live span or has fallen; in order of first
 * assertion.
 */
export function ledgerClaims(state: WindowState): LedgerClaim[] {
  const contested: LedgerClaim[] = [];
  const others: LedgerClaim[] = [];
  for (const claim of watchedClaims(state)) {
    if (claim.retracted !== undefined) continue;
    const entry = entryOf(state, claim);
    // A conflict is never withdrawn, whatever became of the decision that is one side of it.
    if (entry.contestedBy.length > 0) contested.push(entry);
    else if (isWithdrawn(state, claim)) continue;
    else if (needsLine(state, entry)) others.push(entry);
  }
  return [...contested, ...others];
}

/** A line of docs/rendering.md for every claim, every revived text and every closed conflict. */
export function ledgerLines(state: WindowState): string[] {
  if (state.watched.isEmpty()) return [];
  const claims = watchedClaims(state);
  return [
    ...ledgerClaims(state).map((entry) => claimLine(state, entry)),
    ...claims.flatMap((claim) => retractedLine(state, claim)),
    ...claims.flatMap((claim) => historyLines(state, claim)),
  ];
}

/** The line that a claim has, or would have once its carriers are out of view. */
export function lineOf(state: WindowState, claim: Claim): string {
  return claimLine(state, entryOf(state, claim));
}

function watchedClaims(state: WindowState): Claim[] {
  return [...state.watched].sort((a, b) => a - b).map((index) => claimAt(state, index));
}

function entryOf(state: WindowState, claim: Claim): LedgerClaim {
  const live = firstLive(state, claim);
  return {
    claim,
    contestedBy: openConflicts(state, claim),
    live,
    recall: live === undefined ? toRecall(state, claim) : undefined,
  };
}

/** The first carrier that a recall takes; sealed ones only come back by an undo. */
function toRecall(state: WindowState, claim: Claim): string | undefined {
  const carriers = claim.carriers.map((index) => spanAt(state, index));
  return (carriers.find((span) => !span.sealed) ?? carriers[0])?.id;
}

function needsLine(state: WindowState, { claim, live }: LedgerClaim): boolean {
  if (claim.carriers.length > 0 && !isProtected(state, claim)) return false;
  return live === undefined || hasFallen(state, claim);
}

/** Id of the live carrier of least position. */
function firstLive(state: WindowState, claim: Claim): string | undefined {
  return liveCarriers(state, claim)
    .map((index) => spanAt(state, index))
    .sort((a, b) => a.position - b.position)[0]?.id;
}

function claimLine(state: WindowState, { claim, contestedBy, live, recall }: LedgerClaim): string {
  const { id, kind, by, statement, scope, key, value, quote } = claim;
  const words = ["::claim", id, kind, standingOf(state, claim), "by", by, oneLineJson(statement)];
  if (scope !== undefined) words.push("scope", oneLineJson(scope));
  if (key !== undefined) words.push("key", oneLineJson(key));
  if (value !== undefined) words.push("value", oneLineJson(value));
  if (quote !== undefined) words.push("quote", oneLineJson(quote));
  const { changed, retracted } = fallenGrounds(state, claim);
  for (const uri of changed) words.push("changed", oneLineJson(uri));
  for (const other of retracted) words.push("retracted", other);
  // No id has a comma, while one may be a word of this line: after spaces, a list would not end.
  if (contestedBy.length > 0)
    words.push("contested", contestedBy.map((other) => other.id).join(","));
  if (live !== undefined) words.push("live", live);
  if (recall !== undefined) words.push("recall", recall);
  return words.join(" ");
}

/** A retraction is for ever: text that says otherwise and is live again is flagged. */
export function retractedLine(
  state: WindowState,
  claim: Claim,
  live = firstLive(state, claim),
): string[] {
  if (claim.retracted === undefined || live === undefined) return [];
  const { by, reason } = claim.retracted;
  const words = oneLineJson(claim.quote ?? claim.statement);
  const because = `::retracted ${claim.id} by ${by}: ${oneLineJson(reason)}`;
  return [`${because}; do not rely on ${words} in ${live}`];
}

function historyLines(state: WindowState, claim: Claim): string[] {
  if (claim.retracted !== undefined || !isProtected(state, claim)) return [];
  return closedConflicts(state, claim).map((other) => historyLine(claim, other));
}

export function historyLine(claim: Claim, other: Claim): string {
  const { by, reason } = other.retracted ?? { by: "", reason: "" };
  return (
    `::history ${claim.id} was contested by ${other.id} ${oneLineJson(other.statement)}; ` +
    `retracted by ${by}: ${oneLineJson(reason)}`
  );
}
