import { findClaim } from "../../core/src/state/claims.ts";
import type { KnownClaims } from "./known-claims.ts";
import { openConflicts } from "../../core/src/state/protection.ts";
import type { WindowState } from "../../core/src/state/state.ts";

/**
 * Most conflicts that one source, in one span or in many, or a span without a source, brings in
 * without anybody asking: each of them stays in the ledger until somebody retracts a side.
 */
export const MAX_CONFLICTS = 20;

/** Open conflicts of what was extracted from one source; counted no further than the limit. */
export function sourceConflicts(
  state: WindowState,
  known: KnownClaims,
  source: string | undefined,
): number {
  if (source === undefined) return 0;
  const own = new Set(known.from(source));
  let open = 0;
  for (const id of own) {
    const claim = findClaim(state, id);
    if (claim?.extracted !== true) continue;
    // One within the source is counted from its later side.
    const counted = openConflicts(state, claim).filter(
      (other) => other.index < claim.index || !own.has(other.id),
    );
    open += counted.length;
    if (open >= MAX_CONFLICTS) return MAX_CONFLICTS;
  }
  return open;
}
