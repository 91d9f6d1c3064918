import { subjectOf } from "./claim-identity.ts";
import type { Claim, ClaimState } from "./claims.ts";
import { claimAt, isWithdrawn, liveCarriers, opposing } from "./claims.ts";

/** The unretracted claims it is in open conflict with, in order of first assertion. */
export function openConflicts(state: ClaimState, claim: Claim): Claim[] {
  if (claim.retracted !== undefined) return [];
  return opposing(state, claim, subjectOf(claim)).filter(({ retracted }) => !retracted);
}

/** The claims an unretracted one was in conflict with: retracted when it had been asserted. */
export function closedConflicts(state: ClaimState, claim: Claim): Claim[] {
  return opposing(state, claim, subjectOf(claim)).filter(
    ({ retracted }) => retracted !== undefined && claim.index < retracted.claims,
  );
}

/** Decisions in force that cite a claim. */
export function citingDecisions(state: ClaimState, claim: Claim): Claim[] {
  return (state.restOnClaim.get(claim.index) ?? [])
    .map((index) => claimAt(state, index))
    .filter(({ kind, retracted }) => kind === "decision" && !retracted);
}

export function isEvidence(state: ClaimState, claim: Claim): boolean {
  return claim.evidence || citingDecisions(state, claim).length > 0;
}

/** Evidence, decisions, and both sides of every open conflict: never out of sight. */
export function isProtected(state: ClaimState, claim: Claim): boolean {
  if (claim.retracted !== undefined) return false;
  if (claim.kind === "decision" || isEvidence(state, claim)) return true;
  return openConflicts(state, claim).length > 0;
}

/** A claim that the model can see: a live span carries it, or the ledger shows it. */
export function isVisible(state: ClaimState, claim: Claim): boolean {
  if (claim.retracted !== undefined) return false;
  if (claim.carriers.length === 0 || liveCarriers(state, claim).length > 0) return true;
  if (!isProtected(state, claim)) return false;
  // A withdrawn decision has no line of its own, only one as a side of an open conflict.
  return !isWithdrawn(state, claim) || openConflicts(state, claim).length > 0;
}
