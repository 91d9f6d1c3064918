import type { ClaimStatus, Json, ParsedRendering, RecordedWindowEvent } from "@palimpsest/core";
import { canonicalJson } from "@palimpsest/core";

/* What lies in a recording: its spans, the passages of a pair, and what an extractor made of it. */

/** One side of a pair: the line of the recording and the words. */
export interface Side {
  readonly line: number;
  readonly quote: string;
}

export interface FoundClaim {
  readonly id: string;
  readonly carrier: string;
  readonly quote: string;
  readonly statement: string;
}

export interface Found {
  readonly claims: readonly FoundClaim[];
  /** Pairs of ids. */
  readonly conflicts: readonly (readonly [string, string])[];
}

/** What was extracted while a recording was imported. */
export function foundIn(
  events: readonly RecordedWindowEvent[],
  statuses: readonly ClaimStatus[],
): Found {
  const claims: FoundClaim[] = [];
  for (const { type, data } of events) {
    if (type !== "ClaimAsserted") continue;
    const { claimId, carrier = "", quote = "", statement } = data;
    // A claim that is said again elsewhere is the same claim with another place.
    claims.push({ id: claimId, carrier, quote, statement });
  }
  const conflicts = statuses.flatMap(({ claimId, conflicts: others }) =>
    others.filter((other) => claimId < other).map((other) => [claimId, other] as const),
  );
  return { claims, conflicts };
}

/** How many sides of a pair the extractor has a claim of, and whether it set them in conflict. */
export function recallOf(found: Found, a: Side, b: Side): { sides: number; both: boolean } {
  const ofA = found.claims.filter((claim) => isAbout(claim, a)).map(({ id }) => id);
  const ofB = found.claims.filter((claim) => isAbout(claim, b)).map(({ id }) => id);
  const both = found.conflicts.some(
    ([x, y]) => (ofA.includes(x) && ofB.includes(y)) || (ofA.includes(y) && ofB.includes(x)),
  );
  return { sides: Number(ofA.length > 0) + Number(ofB.length > 0), both };
}

function isAbout({ carrier, quote }: FoundClaim, side: Side): boolean {
  if (!carrier.startsWith(`s${side.line}.`)) return false;
  return quote !== "" && (quote.includes(side.quote) || side.quote.includes(quote.trim()));
}

/** The span that holds the words of a side, and the words as they stand there. */
export function carrierOf(
  side: Side,
  events: readonly RecordedWindowEvent[],
): { carrier: string; quote: string } {
  for (const { type, data } of events) {
    if (type !== "SpanAdmitted" || !data.spanId.startsWith(`s${side.line}.`)) continue;
    const quote = formsOf(side.quote).find((form) => textOf(data.content).includes(form));
    if (quote !== undefined) return { carrier: data.spanId, quote };
  }
  throw new TypeError(`no span of line ${side.line} holds ${JSON.stringify(side.quote)}`);
}

/** Whether the words of a side are in the rendering: in a span, or quoted in the ledger. */
export function isShown(side: Side, { spans, claims }: Pick<ParsedRendering, "spans" | "claims">) {
  const forms = formsOf(side.quote);
  const holds = (text = "") => forms.some((form) => text.includes(form));
  return spans.some(({ text }) => holds(text)) || claims.some(({ quote }) => holds(quote));
}

/** In the text of JSON, line breaks and quotation marks are escaped. */
function formsOf(quote: string): string[] {
  return [quote, JSON.stringify(quote).slice(1, -1)];
}

function textOf(content: Json | undefined): string {
  return typeof content === "string" ? content : canonicalJson(content ?? null);
}
