import type { BeyondLimits, Json } from "@palimpsest/core";
import type { Origin, SpanKind } from "@palimpsest/core/events";

/** A span as an extractor sees it. */
export interface ExtractSpan {
  readonly id: string;
  readonly origin: Origin;
  readonly kind: SpanKind;
  /** Its content; JSON other than a string in the form it is stored. */
  readonly text: string;
  /** Name of the tool whose result it is. */
  readonly tool?: string;
  /** How the tool says it went. */
  readonly status?: string;
  /** The file or address it came from, where the host knows. */
  readonly source?: string;
  /** What its call asked for: a command line, or arguments joined by spaces. */
  readonly command?: string;
}

/** A claim that somebody's words make. An extracted claim is never evidence by itself. */
export interface ExtractedClaim {
  readonly statement: string;
  /** Where it holds: equal keys of different scopes are different things. */
  readonly scope?: string;
  /** With `value`, or neither. */
  readonly key?: string;
  readonly value?: Json;
  /** Whole lines of the span's text, at most 300 UTF-16 code units; the value occurs in it. */
  readonly quote: string;
}

/** Two claims of one extraction in tension, by index, beyond those with the same scope and key. */
export interface ExtractedConflict {
  readonly a: number;
  readonly b: number;
  readonly note: string;
}

export interface Extraction {
  readonly claims: readonly ExtractedClaim[];
  readonly conflicts: readonly ExtractedConflict[];
  /** What was found beyond the limits. */
  readonly leftOut: BeyondLimits;
}

/**
 * What proposes claims from spans; a host may plug in a model instead. May be asked about a span
 * twice, and then proposes the same. What it proposes is checked as any assertion is: a quote that
 * is not in the text, say, is dropped. An answer that is not an `Extraction` counts as nothing
 * found, as does an error: the span is admitted in any case.
 */
export interface ClaimExtractor {
  readonly name: string;
  extract(span: ExtractSpan): Extraction | Promise<Extraction>;
}

export interface ExtractLimits {
  /** Most claims of one span. */
  readonly claims: number;
  /** Most conflicts of one span, those of claims with the same scope and key included. */
  readonly conflicts: number;
}

export const DEFAULT_LIMITS: ExtractLimits = { claims: 40, conflicts: 20 };

export const NOTHING_EXTRACTED: Extraction = Object.freeze({
  claims: [],
  conflicts: [],
  leftOut: { claims: 0, conflicts: 0 },
});
