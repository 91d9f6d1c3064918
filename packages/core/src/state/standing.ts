import type { SourceRef } from "../events/schema.ts";
import type { Claim, ClaimState } from "./claims.ts";
import { claimAt, isWithdrawn } from "./claims.ts";
import { ABSENT, markOf } from "./marks.ts";
import { valueText } from "./quote.ts";
import type { Span, Spans } from "./spans.ts";

/*
 * Standing is the least fix-point of "some justification is wholly grounded": claims that rest on
 * each other ground nothing. It is kept incrementally, by deleting and deriving again: a change in
 * a ground costs as much as rests on it, not as much as there are claims.
 */

/** What grounding looks at beside claims and marks. */
export interface GroundState extends ClaimState {
  readonly spans: Pick<Spans, "get" | "indexOf">;
}

/** Spans whose content the store lost ground nothing; the fold knows of none, a probe may. */
export type IsLost = (span: Span) => boolean;

const NEVER: IsLost = () => false;

/** Origins whose words are not the model's or the host's own. */
const GROUNDING = new Set(["user", "system", "tool"]);

/** Whether what a claim cites holds, given which claims are verified. */
export function isGrounded(
  state: GroundState,
  ref: SourceRef,
  verified: { has(claim: number): boolean },
  isLost: IsLost = NEVER,
): boolean {
  if ("claim" in ref) {
    const index = state.claimIndex.get(ref.claim);
    return index !== undefined && verified.has(index);
  }
  if ("uri" in ref) return state.sources.get(ref.uri) === ref.digest;
  const index = state.spans.indexOf(ref.span);
  const span = index === undefined ? undefined : state.spans.get(index);
  if (index === undefined || span === undefined || !GROUNDING.has(span.origin)) return false;
  if (span.createdBy !== undefined || markOf(state, index) === ABSENT || isLost(span)) return false;
  return span.source === undefined || state.sources.get(span.source.uri) === span.source.digest;
}

function holds(
  state: GroundState,
  claim: Claim,
  verified: { has(claim: number): boolean },
  isLost: IsLost,
): boolean {
  if (claim.retracted !== undefined || isWithdrawn(state, claim)) return false;
  return claim.justifications.some(
    (refs) =>
      refs.length > 0 &&
      saysValue(claim, refs) &&
      refs.every((ref) => isGrounded(state, ref, verified, isLost)),
  );
}

/** Words that do not hold a keyed claim's value do not say it, whoever spoke them. */
function saysValue({ value }: Claim, refs: readonly SourceRef[]): boolean {
  const quotes = refs.flatMap((ref) => ("span" in ref ? [ref.quote] : []));
  if (value === undefined || quotes.length === 0) return true;
  return quotes.some((quote) => quote.includes(valueText(value)));
}

/** The verified claims after the standing of `changed` may have changed. */
export function restand(state: GroundState, changed: Iterable<number>): ClaimState["verified"] {
  const affected = new Set(changed);
  for (const index of affected) {
    for (const other of state.restOnClaim.get(index) ?? []) affected.add(other);
  }
  return derive(state, affected, state.verified.subtract(affected), NEVER);
}

/** The verified claims from nothing, with spans whose content a probe found lost. */
export function standingFrom(state: GroundState, isLost: IsLost): ClaimState["verified"] {
  const all = state.claims.toSeq().map(({ index }) => index);
  return derive(state, new Set(all), state.verified.clear(), isLost);
}

function derive(
  state: GroundState,
  affected: ReadonlySet<number>,
  start: ClaimState["verified"],
  isLost: IsLost,
): ClaimState["verified"] {
  let verified = start;
  let queue = [...affected];
  while (queue.length > 0) {
    const next: number[] = [];
    for (const index of queue) {
      if (verified.has(index) || !holds(state, claimAt(state, index), verified, isLost)) continue;
      verified = verified.add(index);
      for (const other of state.restOnClaim.get(index) ?? []) {
        if (affected.has(other)) next.push(other);
      }
    }
    queue = next;
  }
  return verified;
}
