import type { WindowState } from "@palimpsest/core/state";
import { findClaim, openConflicts } from "@palimpsest/core/state";
import type { KnownClaims } from "./known-claims.ts";

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

/** Lets conflicts in up to the limit, and counts those that it keeps out. */
export class ConflictLimit {
  readonly #before: () => number;
  #open: number | undefined;
  refused = 0;

  /** `before`: how many the source has brought in already; asked when the first one comes. */
  constructor(before: () => number) {
    this.#before = before;
  }

  /** Whether there is room for that many more; counts them as refused where there is not. */
  hasRoom(more: number): boolean {
    if (more === 0) return true;
    this.#open ??= this.#before();
    const fits = this.#open + more <= MAX_CONFLICTS;
    if (!fits) this.refused += more;
    return fits;
  }

  take(more: number): void {
    if (more > 0) this.#open = (this.#open ?? this.#before()) + more;
  }
}
