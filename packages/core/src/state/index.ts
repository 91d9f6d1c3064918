/*
 * `@palimpsest/core/state`: what a window is, as the fold keeps it. For projections, finders and
 * tools that fold events or look at states themselves; whoever only uses a window needs none of it.
 */

export { identityOf, subjectOf } from "./claim-identity.ts";
export type { Claim, ClaimState, NotedConflict, Retraction, Standing } from "./claims.ts";
export { carriersOf, claimAt, findClaim, liveCarriers, opposing, standingOf } from "./claims.ts";
export type { CommandIndex } from "./command-index.ts";
export type { ContentFact, ContentRef } from "./content.ts";
export { contentRef } from "./content.ts";
export type { Draft } from "./draft.ts";
export type { PlacedEvent } from "./evolve.ts";
export { evolve, evolveAll } from "./evolve.ts";
export type { Edit, Effect, Mark, MarkState, Write } from "./marks.ts";
export { ABSENT, editAt, effectOf, LIVE, markOf } from "./marks.ts";
export { isEvidence, isProtected, isVisible, openConflicts } from "./protection.ts";
export { MAX_QUOTE, startOf, valueText } from "./quote.ts";
export type { CallBond, GroupBond, Span, Spans } from "./spans.ts";
export type { WindowState } from "./state.ts";
export { findEdit, findSpan, initialState, spanAt } from "./state.ts";
