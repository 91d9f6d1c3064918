import type { List, Map as PersistentMap, Set as PersistentSet } from "immutable";
import type { ClaimKind, SourceRef } from "../events/schema.ts";
import { canonicalJson } from "../json/canonical.ts";
import type { Json } from "../json/json.ts";
import type { MarkState } from "./marks.ts";
import { ABSENT, LIVE, markOf } from "./marks.ts";

/* Claims as the fold keeps them, and what is read off them (docs/decisions/claims.md). */

export interface Claim {
  /** Place in order of first assertion. */
  readonly index: number;
  readonly id: string;
  readonly kind: ClaimKind;
  readonly scope?: string;
  readonly key?: string;
  readonly value?: Json;
  readonly statement: string;
  readonly supersedes?: string;
  /** Who asserted it first. */
  readonly by: string;
  /** Some assertion said so. */
  readonly evidence: boolean;
  /** Some assertion by another party than the model's said so. */
  readonly evidenceBeyondModel: boolean;
  /** Every assertion came from an extractor. */
  readonly extracted: boolean;
  readonly quote?: string;
  /** Indices of the spans that its assertions name (the original for a recall), first one first. */
  readonly carriers: readonly number[];
  /** One for each assertion; a claim rests on any one of them, and on all that the one cites. */
  readonly justifications: readonly (readonly SourceRef[])[];
  readonly retracted?: Retraction;
}

export interface Retraction {
  readonly by: string;
  readonly reason: string;
  /** Number of claims then: those of a greater index came later and never stood beside this one. */
  readonly claims: number;
}

/** A conflict that somebody noted, seen from one of its sides. */
export interface NotedConflict {
  /** Index of the other side. */
  readonly claim: number;
  readonly by: string;
}

export interface ClaimState extends MarkState {
  readonly claims: List<Claim>;
  readonly claimIndex: PersistentMap<string, number>;
  readonly claimIdentity: PersistentMap<string, number>;
  /** Claims by subject: those with another value are in conflict. */
  readonly subjects: PersistentMap<string, readonly number[]>;
  /** Claims that somebody noted to be in conflict with one, by index. */
  readonly noted: PersistentMap<number, readonly NotedConflict[]>;
  /** Decisions that cite a claim, and all claims that rest on one. */
  readonly restOnClaim: PersistentMap<number, readonly number[]>;
  readonly restOnSpan: PersistentMap<number, readonly number[]>;
  readonly restOnUri: PersistentMap<string, readonly number[]>;
  /** Claims that name a span as their carrier. */
  readonly carriedBy: PersistentMap<number, readonly number[]>;
  /** Recalls of a span. */
  readonly recalls: PersistentMap<number, readonly number[]>;
  /** Spans that came from a source. */
  readonly spansOf: PersistentMap<string, readonly number[]>;
  /** Digest last observed of a source; null: it was gone. */
  readonly sources: PersistentMap<string, string | null>;
  readonly verified: PersistentSet<number>;
  /** Claims that may have a line in the ledger, now or later. */
  readonly watched: PersistentSet<number>;
  /** Another (empty) list whenever a line of the ledger may differ: their cost is kept by it. */
  readonly ledgerKey: readonly never[];
}

export type Standing = "verified" | "unverified" | "withdrawn" | "retracted";

export function claimAt(state: ClaimState, index: number): Claim {
  const claim = state.claims.get(index);
  if (claim === undefined) throw new RangeError(`no claim has index ${index}`);
  return claim;
}

export function findClaim(state: ClaimState, id: string): Claim | undefined {
  const index = state.claimIndex.get(id);
  return index === undefined ? undefined : claimAt(state, index);
}

export function standingOf(state: ClaimState, claim: Claim): Standing {
  if (claim.retracted !== undefined) return "retracted";
  if (isWithdrawn(state, claim)) return "withdrawn";
  return state.verified.has(claim.index) ? "verified" : "unverified";
}

/** The spans that carry a claim: those its assertions name, and recalls of those. */
export function carriersOf(state: ClaimState, claim: Claim): number[] {
  return claim.carriers.flatMap((span) => [span, ...(state.recalls.get(span) ?? [])]);
}

/** A decision whose carriers were all rewound away, or undone with the rewrite that made them. */
export function isWithdrawn(state: ClaimState, claim: Claim): boolean {
  if (claim.kind !== "decision" || claim.carriers.length === 0) return false;
  return carriersOf(state, claim).every((span) => markOf(state, span) === ABSENT);
}

/** Indices of the live spans that carry a claim. */
export function liveCarriers(state: ClaimState, claim: Claim): number[] {
  return carriersOf(state, claim).filter((span) => markOf(state, span) === LIVE);
}

/** Every claim it is or was in tension with, retracted ones included, in order. */
export function opposing(state: ClaimState, claim: Claim, subject: string | undefined): Claim[] {
  const others = new Set(state.noted.get(claim.index)?.map((noted) => noted.claim));
  if (subject !== undefined) {
    const value = canonicalJson(claim.value ?? null);
    for (const index of state.subjects.get(subject) ?? []) {
      const other = claimAt(state, index);
      if (index !== claim.index && canonicalJson(other.value ?? null) !== value) others.add(index);
    }
  }
  return [...others].sort((a, b) => a - b).map((index) => claimAt(state, index));
}
