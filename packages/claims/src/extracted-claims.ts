import { findClaim } from "../../core/src/state/claims.ts";
import type { KnownClaims, Proposed } from "./known-claims.ts";
import type { ExtractedClaim, LeftOut } from "./extraction.ts";
import { openConflicts } from "../../core/src/state/protection.ts";
import { valueText } from "../../core/src/state/quote.ts";
import { MAX_STATEMENT } from "../../core/src/commands/schema.ts";
import type { WindowEvent } from "../../core/src/events/schema.ts";
import { decideAssert, decideConflict } from "../../core/src/decide/claims.ts";
import type { Act } from "../../core/src/decide/outcome.ts";
import { advance } from "../../core/src/decide/outcome.ts";
import { MAX_CONFLICTS, sourceConflicts } from "./source-conflicts.ts";
import type { WindowState } from "../../core/src/state/state.ts";

/** What an extraction came to; the counts are of what it found beyond the limits. */
export interface Extracted {
  readonly events: readonly WindowEvent[];
  readonly leftOut: LeftOut;
}

/** The span that an extraction is about. */
interface About {
  readonly spanId: string;
  readonly source: string | undefined;
  /** The claims that the state has. */
  readonly known: KnownClaims;
}

/**
 * The events that an extraction adds behind its admission; `state` has the span already. What would
 * be refused (a claim once retracted, words that are not there)
 * is left out: nobody asked for it, and the admission must not fail over it.
 */
export function extractedEvents(
  state: WindowState,
  { spanId, source, known }: About,
  extraction: Proposed,
  act: Act,
): Extracted {
  const list: WindowEvent[] = [];
  let current = state;
  const ids: (string | undefined)[] = [];
  const limit = new ConflictLimit(() => sourceConflicts(state, known, source));
  let claimsLeftOut = extraction.leftOut.claims;
  for (const claim of extraction.claims) {
    const assertion = { ...claim, carrier: spanId, extracted: true };
    const outcome = isSayable(claim) ? decideAssert(current, assertion, act) : undefined;
    const event = outcome?.kind === "events" ? outcome.events[0] : undefined;
    const next = event === undefined ? current : advance(current, [event], act);
    const id = event?.type === "ClaimAsserted" ? event.data.claimId : "";
    // Said again, it brings none.
    const fresh = findClaim(current, id) === undefined ? findClaim(next, id) : undefined;
    const fits = limit.takes(fresh === undefined ? 0 : openConflicts(next, fresh).length);
    ids.push(event !== undefined && fits ? id : undefined);
    if (!fits) claimsLeftOut += 1;
    if (event === undefined || !fits) continue;
    list.push(event);
    current = next;
  }
  const conflicts = [
    ...extraction.conflicts.map(({ a, b, note }) => ({ one: ids[a], other: ids[b], note })),
    ...extraction.cross.map(({ claim, known: id, note }) => ({ one: ids[claim], other: id, note })),
  ];
  for (const { one, other, note } of conflicts) {
    if (one === undefined || other === undefined || !isWords(note)) continue;
    const outcome = decideConflict(
      current,
      { command: "noteConflict", a: one, b: other, note },
      act,
    );
    if (outcome.kind !== "events" || !limit.takes(outcome.events.length)) continue;
    list.push(...outcome.events);
    current = advance(current, outcome.events, act);
  }
  const conflictsLeftOut = extraction.leftOut.conflicts + limit.refused;
  return { events: list, leftOut: { claims: claimsLeftOut, conflicts: conflictsLeftOut } };
}

/** Lets conflicts in up to the limit, and counts those it did not. */
class ConflictLimit {
  readonly #before: () => number;
  #open: number | undefined;
  refused = 0;

  constructor(before: () => number) {
    this.#before = before;
  }

  takes(more: number): boolean {
    if (more === 0) return true;
    this.#open ??= this.#before();
    const fits = this.#open + more <= MAX_CONFLICTS;
    if (fits) this.#open += more;
    else this.refused += more;
    return fits;
  }
}

/** What a command may say: as long, and no half of a character. */
function isSayable({ statement, scope = "", key = "", value, quote }: ExtractedClaim): boolean {
  if (![statement, scope, key, quote].every(isWords)) return false;
  return value === undefined || valueText(value).isWellFormed();
}

function isWords(text: string): boolean {
  return text.length <= MAX_STATEMENT && text.isWellFormed();
}
