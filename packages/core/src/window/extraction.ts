import { findClaim } from "../claims/claims.ts";
import type { Proposed } from "../claims/extract/cross.ts";
import type { ExtractedClaim } from "../claims/extract/port.ts";
import { openConflicts } from "../claims/protection.ts";
import { valueText } from "../claims/quote.ts";
import { MAX_STATEMENT } from "../commands/schema.ts";
import type { WindowEvent } from "../events/schema.ts";
import { decideAssert, decideConflict } from "./decide-claim.ts";
import type { Act } from "./outcome.ts";
import { advance } from "./outcome.ts";
import type { WindowState } from "./state.ts";

/** Most conflicts that one span brings in without anybody asking, whatever its extractor says. */
const MAX_CONFLICTS = 20;

/**
 * The events that an extraction adds behind its admission; `state` has the span already. What would
 * be refused (a claim once retracted, words that are not there)
 * is left out: nobody asked for it, and the admission must not fail over it.
 */
export function extractedEvents(
  state: WindowState,
  spanId: string,
  extraction: Proposed,
  act: Act,
): WindowEvent[] {
  const list: WindowEvent[] = [];
  let current = state;
  const ids: (string | undefined)[] = [];
  let contested = 0;
  for (const claim of extraction.claims) {
    const assertion = { ...claim, carrier: spanId, extracted: true };
    const outcome = isSayable(claim) ? decideAssert(current, assertion, act) : undefined;
    const event = outcome?.kind === "events" ? outcome.events[0] : undefined;
    const next = event === undefined ? current : advance(current, [event], act);
    const id = event?.type === "ClaimAsserted" ? event.data.claimId : "";
    const found = findClaim(next, id);
    const more = found === undefined ? 0 : openConflicts(next, found).length;
    const fits = event !== undefined && (more === 0 || contested + more <= MAX_CONFLICTS);
    ids.push(fits ? id : undefined);
    if (!fits) continue;
    contested += more;
    list.push(event);
    current = next;
  }
  const conflicts = [
    ...extraction.conflicts.map(({ a, b, note }) => ({ one: ids[a], other: ids[b], note })),
    ...extraction.cross.map(({ claim, known, note }) => ({ one: ids[claim], other: known, note })),
  ];
  for (const { one, other, note } of conflicts) {
    if (one === undefined || other === undefined || contested >= MAX_CONFLICTS) continue;
    if (!isWords(note)) continue;
    const outcome = decideConflict(
      current,
      { command: "noteConflict", a: one, b: other, note },
      act,
    );
    if (outcome.kind !== "events") continue;
    contested += outcome.events.length;
    list.push(...outcome.events);
    current = advance(current, outcome.events, act);
  }
  return list;
}

/** What a command may say: as long, and no half of a character. */
function isSayable({ statement, scope = "", key = "", value, quote }: ExtractedClaim): boolean {
  if (![statement, scope, key, quote].every(isWords)) return false;
  return value === undefined || valueText(value).isWellFormed();
}

function isWords(text: string): boolean {
  return text.length <= MAX_STATEMENT && text.isWellFormed();
}
