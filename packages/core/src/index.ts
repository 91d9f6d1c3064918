/*
 * `@palimpsest/core`: windows, their commands and answers, and the log port with its in-memory
 * adapter. Runs in Node and in a browser; SQLite has an entry of its own.
 */
export type { Claim, ClaimState, Standing } from "./claims/claims.ts";
export { claimAt, findClaim, standingOf } from "./claims/claims.ts";
export { deterministicExtractor, extractClaims } from "./claims/extract/extract.ts";
export type {
  ClaimExtractor,
  ExtractedClaim,
  ExtractedConflict,
  Extraction,
  ExtractSpan,
  LeftOut,
} from "./claims/extract/port.ts";
export { isEvidence, isProtected, isVisible, openConflicts } from "./claims/protection.ts";
export type { Accepted, Answer, NothingToDo, Refused } from "./commands/answers.ts";
export type { Party, Principal } from "./commands/principals.ts";
export { parsePrincipal } from "./commands/principals.ts";
export type { Refusal, RefusalCode } from "./commands/refusals.ts";
export type {
  BatchCommand,
  Command,
  CommandName,
  CommandOf,
  ReadCommand,
  WriteCommand,
} from "./commands/schema.ts";
export { batchSchema, readCommandSchemas, writeCommandSchemas } from "./commands/schema.ts";
export type { Origin, RecordedWindowEvent, SpanKind, Verb, WindowEvent } from "./events/index.ts";
export {
  EventNotUnderstoodError,
  eventId,
  upcast,
  VERDICT_STREAM_PREFIX,
  verdictStream,
  WINDOW_STREAM_PREFIX,
  windowStream,
} from "./events/index.ts";
export { canonicalJson } from "./json/canonical.ts";
export { contentDigest } from "./json/digest.ts";
export type { Json, JsonObject } from "./json/json.ts";
export type { LogErrorCode } from "./log/errors.ts";
export { isLogError, LogError, WrongExpectedRevisionError } from "./log/errors.ts";
export { readerOf, writerOf } from "./log/handles.ts";
export { createMemoryLog } from "./log/memory.ts";
export type * from "./log/port.ts";
export type { Edit, Effect, Mark, MarkState, Write } from "./marks/marks.ts";
export { ABSENT, editAt, effectOf, LIVE, markOf } from "./marks/marks.ts";
export { unifiedDiff } from "./policy/diff.ts";
export type { Policy } from "./policy/document.ts";
export { parsePolicy } from "./policy/document.ts";
export type { SpanFacts, WindowFacts } from "./policy/facts.ts";
export type { FunctionSelection, PolicyFunction } from "./policy/function.ts";
export { policyFunction } from "./policy/function.ts";
export type { ReadyPolicy } from "./policy/ready.ts";
export { READY_POLICIES, readyPolicy } from "./policy/ready.ts";
export type { Gap, WindowItem } from "./render/gaps.ts";
export { coveredBy, windowItems } from "./render/gaps.ts";
export type { LedgerClaim } from "./render/ledger.ts";
export { ledgerClaims } from "./render/ledger.ts";
export type { ParsedRendering } from "./render/parse.ts";
export { parseRendering } from "./render/parse.ts";
export type { ParsedClaim } from "./render/parse-claims.ts";
export type { ContentOf } from "./render/render.ts";
export { RENDERER, renderWindow } from "./render/render.ts";
export type { ClaimStatus, SourceState } from "./window/claims-view.ts";
export { claimsOf } from "./window/claims-view.ts";
export { lostText, readContent } from "./window/contents.ts";
export { coverageOf, probeOf } from "./window/coverage.ts";
export type { Decision } from "./window/decide.ts";
export { decide } from "./window/decide.ts";
export {
  CommandRefusedError,
  ConflictAsymmetryError,
  IrreversibleEditError,
  isRefused,
  ProvenanceOrphanError,
  RecoveryRegionError,
} from "./window/errors.ts";
export type { PlacedEvent } from "./window/evolve.ts";
export { evolve, evolveAll } from "./window/evolve.ts";
export type { CommandGate } from "./window/gate.ts";
export type { Waiting } from "./window/lost-race.ts";
export type { ContentFact, ContentRef } from "./window/outcome.ts";
export { contentRef } from "./window/outcome.ts";
export type { Plan } from "./window/plan.ts";
export type { Preview } from "./window/preview.ts";
export type { PruneOptions } from "./window/prune.ts";
export type { PolicyStatus, ReadAnswer } from "./window/read.ts";
export { replay } from "./window/replay.ts";
export type { WindowOptions } from "./window/runner.ts";
export type {
  Bonds,
  CallBond,
  GroupBond,
  Span,
  SpanIndex,
  SpanList,
  WindowState,
} from "./window/state.ts";
export { initialState, spanAt } from "./window/state.ts";
export type { EditStatus, Recovery, StatusWord } from "./window/status.ts";
export { recordedSpans, recoveryOf, statusOf, statusWith } from "./window/status.ts";
export type { Step } from "./window/step.ts";
export type { Tokenizer } from "./window/tokenizer.ts";
export { utf8Div4 } from "./window/tokenizer.ts";
export type { WindowTokens } from "./window/tokens.ts";
export { windowTokens } from "./window/tokens.ts";
export type { ClaimView, SpanView, WindowView } from "./window/view.ts";
export { shownSpans, viewOf } from "./window/view.ts";
export type { Done, OpenOptions } from "./window/window.ts";
export { openWindow, Window } from "./window/window.ts";
