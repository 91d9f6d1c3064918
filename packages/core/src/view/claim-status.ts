import type { ClaimKind, SourceRef } from "../events/schema.ts";
import type { Json } from "../json/json.ts";
import type { Claim, Standing } from "../state/claims.ts";
import { carriersOf, findClaim, standingOf } from "../state/claims.ts";
import type { ContentFact } from "../state/content.ts";
import { changedSource } from "../state/fallen.ts";
import { ABSENT, LIVE, markOf } from "../state/marks.ts";
import { isEvidence, isProtected, openConflicts } from "../state/protection.ts";
import { standingFrom } from "../state/standing.ts";
import type { Span, WindowState } from "../state/state.ts";
import { findSpan, spanAt } from "../state/state.ts";

/**
 * Where a ground is now: a span, a source, or of a cited claim its standing. A URI that nobody
 * observed is absent.
 */
export type SourceState =
  | "live"
  | "consumed"
  | "absent"
  | "lost"
  | "changed"
  | "observed"
  | Standing;

/** A claim and how it stands now. */
export interface ClaimStatus {
  /** Id of the claim. */
  readonly claimId: string;
  /** Whether it says what is, or what was decided. */
  readonly kind: ClaimKind;
  /** What the statement is about; null: nothing was named. */
  readonly scope: string | null;
  /** What it gives a value to; null: nothing. */
  readonly key: string | null;
  /** The value of `key`; null where there is no key. */
  readonly value: Json;
  /** The claim in words. */
  readonly statement: string;
  /** Whether what it rests on still holds. */
  readonly standing: Standing;
  /** Its last carrier must not leave unseen. */
  readonly evidence: boolean;
  /** The ledger shows it once no live span carries it. */
  readonly protected: boolean;
  /** Ids of the spans that carry it, recalls included. */
  readonly carriers: string[];
  /** What its justifications cite, each once. */
  readonly sources: { readonly ref: SourceRef; readonly state: SourceState }[];
  /** Ids of the claims it is in open conflict with. */
  readonly conflicts: string[];
  /** Who said it first: `party/name`. */
  readonly by: string;
}

/** The spans whose content decides standing: those that some justification cites. */
export function groundSpans(state: WindowState): Span[] {
  return [...state.restOnSpan.keys()].map((index) => spanAt(state, index));
}

/** Every claim, in order of first assertion; `facts` holds what a probe found just now. */
export function claimsOf(
  state: WindowState,
  facts: ReadonlyMap<number, ContentFact> = new Map(),
): ClaimStatus[] {
  const isLost = (span: Span) => facts.get(span.contentRevision)?.intact === false;
  const anyLost = groundSpans(state).some(isLost);
  const probed = anyLost ? { ...state, verified: standingFrom(state, isLost) } : state;
  return [...probed.claims].map((claim) => claimStatus(probed, claim, isLost));
}

function claimStatus(
  state: WindowState,
  claim: Claim,
  isLost: (span: Span) => boolean,
): ClaimStatus {
  const refs = new Map(claim.justifications.flat().map((ref) => [JSON.stringify(ref), ref]));
  return {
    claimId: claim.id,
    kind: claim.kind,
    scope: claim.scope ?? null,
    key: claim.key ?? null,
    value: claim.value ?? null,
    statement: claim.statement,
    standing: standingOf(state, claim),
    evidence: isEvidence(state, claim),
    protected: isProtected(state, claim),
    carriers: carriersOf(state, claim).map((index) => spanAt(state, index).id),
    sources: [...refs.values()].map((ref) => ({ ref, state: sourceState(state, ref, isLost) })),
    conflicts: openConflicts(state, claim).map(({ id }) => id),
    by: claim.by,
  };
}

function sourceState(
  state: WindowState,
  ref: SourceRef,
  isLost: (span: Span) => boolean,
): SourceState {
  if ("claim" in ref) {
    const claim = findClaim(state, ref.claim);
    return claim === undefined ? "absent" : standingOf(state, claim);
  }
  const changed = changedSource(state, ref) !== undefined;
  if ("uri" in ref) {
    if (changed) return "changed";
    return state.sources.has(ref.uri) ? "observed" : "absent";
  }
  const span = findSpan(state, ref.span);
  if (span === undefined) return "absent";
  if (isLost(span)) return "lost";
  if (changed) return "changed";
  const mark = markOf(state, span.index);
  return mark === LIVE ? "live" : mark === ABSENT ? "absent" : "consumed";
}
