/*
 * `@palimpsest/core/view`: what is read off a state. For projections and tools that hold states of
 * their own; a window gives the same by its methods.
 */
export type { ClaimStatus, SourceState } from "./claim-status.ts";
export { claimsOf } from "./claim-status.ts";
export type { Gap, WindowItem } from "./gaps.ts";
export { coveredBy, windowItems } from "./gaps.ts";
export type { LedgerClaim } from "./ledger.ts";
export { ledgerClaims } from "./ledger.ts";
export type { ContentOf } from "./render.ts";
export { RENDERER, renderWindow } from "./render.ts";
export type { EditStatus, Promises, Recovery, StatusWord } from "./status.ts";
export { recordedSpans, recoveryOf, statusOf, statusWith } from "./status.ts";
export type { Tokenizer } from "./tokenizer.ts";
export { utf8Div4 } from "./tokenizer.ts";
export type { WindowTokens } from "./tokens.ts";
export { windowTokens } from "./tokens.ts";
export type { ClaimView, SpanView, WindowView } from "./window-view.ts";
export { shownSpans, viewOf } from "./window-view.ts";
