import type { SourceRef } from "../events/schema.ts";
import type { Claim } from "./claims.ts";
import { findClaim, standingOf } from "./claims.ts";
import type { GroundState } from "./standing.ts";

/** What a claim cites that is no longer as it was when it was cited. */
export interface FallenGrounds {
  /** URIs that were last observed with other content, or gone. */
  readonly changed: readonly string[];
  /** Ids of claims that were retracted. */
  readonly retracted: readonly string[];
}

const NONE: FallenGrounds = { changed: [], retracted: [] };

/** What the justifications of an unverified claim cite themselves, each once, as first cited. */
export function fallenGrounds(state: GroundState, claim: Claim): FallenGrounds {
  if (standingOf(state, claim) !== "unverified") return NONE;
  const refs = claim.justifications.flat();
  return {
    changed: [...new Set(refs.flatMap((ref) => changedSource(state, ref) ?? []))],
    retracted: [...new Set(refs.flatMap((ref) => retractedClaim(state, ref) ?? []))],
  };
}

/**
 * Whether a claim is unverified since something it rests on, through whatever claims, has changed
 * or was retracted. A claim that never stood on anything has not fallen.
 */
export function hasFallen(state: GroundState, claim: Claim): boolean {
  const reached = new Set([claim]);
  for (const one of reached) {
    if (standingOf(state, one) !== "unverified") continue;
    const { changed, retracted } = fallenGrounds(state, one);
    if (changed.length > 0 || retracted.length > 0) return true;
    for (const ref of one.justifications.flat()) {
      const cited = "claim" in ref ? findClaim(state, ref.claim) : undefined;
      if (cited !== undefined) reached.add(cited);
    }
  }
  return false;
}

/** The source that a ground is or came from, if it was observed and is not as it was cited. */
export function changedSource(state: GroundState, ref: SourceRef): string | undefined {
  const source = "uri" in ref ? ref : "span" in ref ? sourceOf(state, ref.span) : undefined;
  if (source === undefined) return undefined;
  const last = state.sources.get(source.uri);
  return last === undefined || last === source.digest ? undefined : source.uri;
}

function sourceOf(state: GroundState, span: string): { uri: string; digest: string } | undefined {
  const index = state.spans.indexOf(span);
  return index === undefined ? undefined : state.spans.get(index)?.source;
}

function retractedClaim(state: GroundState, ref: SourceRef): string | undefined {
  if (!("claim" in ref)) return undefined;
  return findClaim(state, ref.claim)?.retracted === undefined ? undefined : ref.claim;
}
