/*
 * `@palimpsest/claims`: finds claims in the text that a window is given, and what contests them.
 * Patterns, no model; a host may plug in an extractor of its own.
 */
export { deterministicExtractor, extractClaims } from "./extract.ts";
export type {
  ClaimExtractor,
  ExtractedClaim,
  ExtractedConflict,
  Extraction,
  ExtractLimits,
  ExtractSpan,
} from "./extraction.ts";
export type { ClaimFinderOptions } from "./finder.ts";
export { claimFinder } from "./finder.ts";
