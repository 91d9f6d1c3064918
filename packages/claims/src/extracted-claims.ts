import type { AppendSoFar, FoundCommand } from "@palimpsest/core";
import { canonicalJson } from "@palimpsest/core";
import type { Claim, WindowState } from "@palimpsest/core/state";
import { claimAt, findClaim, identityOf, openConflicts, subjectOf } from "@palimpsest/core/state";
import type { ExtractedClaim } from "./extraction.ts";
import type { KnownClaims, Proposed } from "./known-claims.ts";
import { ConflictLimit, sourceConflicts } from "./source-conflicts.ts";

/** The span that an extraction is about. */
interface About {
  readonly spanId: string;
  readonly source: string | undefined;
  /** The claims that the window has. */
  readonly known: KnownClaims;
}

/**
 * The commands by which an extraction is asserted behind the admission of its span. Returns the
 * numbers of what the limits kept out.
 */
export function* extractedCommands(
  append: AppendSoFar,
  { spanId, source, known }: About,
  { claims, conflicts, withKnown, leftOut }: Proposed,
): Generator<FoundCommand, { claims: number; conflicts: number }> {
  const start = append.state;
  const limit = new ConflictLimit(() => sourceConflicts(start, known, source));
  const ids: (string | undefined)[] = [];
  let claimsLeftOut = leftOut.claims;
  for (const claim of claims) {
    const before = append.state;
    const brings = conflictsBrought(before, claim);
    if (!limit.hasRoom(brings)) {
      claimsLeftOut += 1;
      ids.push(undefined);
      continue;
    }
    yield { command: "assertClaim", ...claim, carrier: spanId };
    const isAsserted = append.state !== before;
    if (isAsserted) limit.take(brings);
    ids.push(isAsserted ? claimOf(append.state, claim)?.id : undefined);
  }
  const noted = [
    ...conflicts.map(({ a, b, note }) => ({ a: ids[a], b: ids[b], note })),
    ...withKnown.map(({ claim, known: b, note }) => ({ a: ids[claim], b, note })),
  ];
  for (const { a, b, note } of noted) {
    if (a === undefined || b === undefined || areInConflict(append.state, a, b)) continue;
    if (!limit.hasRoom(1)) continue;
    const before = append.state;
    yield { command: "noteConflict", a, b, note };
    if (append.state !== before) limit.take(1);
  }
  return { claims: claimsLeftOut, conflicts: leftOut.conflicts + limit.refused };
}

function claimOf(state: WindowState, { scope, key, value, statement }: ExtractedClaim) {
  const identity = identityOf({ kind: "fact", scope, key, value, statement });
  const index = state.claimIdentity.get(identity);
  return index === undefined ? undefined : claimAt(state, index);
}

/**
 * How many claims would be in open conflict with one by key alone; a claim that is said again
 * brings none.
 */
function conflictsBrought(state: WindowState, claim: ExtractedClaim): number {
  const subject = subjectOf(claim);
  if (subject === undefined || claimOf(state, claim) !== undefined) return 0;
  const value = canonicalJson(claim.value ?? null);
  const others = (state.subjects.get(subject) ?? []).map((index) => claimAt(state, index));
  const contests = (other: Claim) =>
    other.retracted === undefined && canonicalJson(other.value ?? null) !== value;
  return others.filter(contests).length;
}

function areInConflict(state: WindowState, a: string, b: string): boolean {
  const claim = findClaim(state, a);
  return claim !== undefined && openConflicts(state, claim).some(({ id }) => id === b);
}
