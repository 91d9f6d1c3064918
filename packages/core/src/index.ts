/*
 * `@palimpsest/core`: windows, their commands and answers, and the log port with its in-memory
 * adapter. Runs in Node and in a browser; SQLite has an entry of its own.
 */
export type { Claim, ClaimState, Standing } from "./state/claims.ts";
export { claimAt, findClaim, standingOf } from "./state/claims.ts";
export { deterministicExtractor, extractClaims } from "../../claims/src/extract.ts";
export type {
  ClaimExtractor,
  ExtractedClaim,
  ExtractedConflict,
  Extraction,
  ExtractSpan,
  LeftOut,
} from "../../claims/src/extraction.ts";
export { isEvidence, isProtected, isVisible, openConflicts } from "./state/protection.ts";
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
export type { Edit, Effect, Mark, MarkState, Write } from "./state/marks.ts";
export { ABSENT, editAt, effectOf, LIVE, markOf } from "./state/marks.ts";
export { unifiedDiff } from "./policy/diff.ts";
export type { Policy } from "./policy/document.ts";
export { parsePolicy } from "./policy/document.ts";
export type { SpanFacts, WindowFacts } from "./policy/facts.ts";
export type { FunctionSelection, PolicyFunction } from "./policy/function.ts";
export { policyFunction } from "./policy/function.ts";
export type { ReadyPolicy } from "./policy/ready.ts";
export { READY_POLICIES, readyPolicy } from "./policy/ready.ts";
export type { Gap, WindowItem } from "./view/gaps.ts";
export { coveredBy, windowItems } from "./view/gaps.ts";
export type { LedgerClaim } from "./view/ledger.ts";
export { ledgerClaims } from "./view/ledger.ts";
export type { ParsedRendering } from "./view/parse.ts";
export { parseRendering } from "./view/parse.ts";
export type { ParsedClaim } from "./view/parse-claims.ts";
export type { ContentOf } from "./view/render.ts";
export { RENDERER, renderWindow } from "./view/render.ts";
export type { ClaimStatus, SourceState } from "./view/claim-status.ts";
export { claimsOf } from "./view/claim-status.ts";
export { lostText, readContent } from "./host/contents.ts";
export { coverageOf, probeOf } from "./host/coverage.ts";
export type { Decision } from "./decide/decide.ts";
export { decide } from "./decide/decide.ts";
export {
  CommandRefusedError,
  ConflictAsymmetryError,
  IrreversibleEditError,
  isRefused,
  ProvenanceOrphanError,
  RecoveryRegionError,
} from "./host/errors.ts";
export type { PlacedEvent } from "./state/evolve.ts";
export { evolve, evolveAll } from "./state/evolve.ts";
export type { CommandGate } from "./host/gate.ts";
export type { ContentFact, ContentRef } from "./decide/outcome.ts";
export { contentRef } from "./decide/outcome.ts";
export type { Plan } from "./view/plan.ts";
export type { Preview } from "./host/preview.ts";
export type { PruneOptions } from "./host/prune.ts";
export type { PolicyStatus, ReadAnswer } from "./host/read.ts";
export { replay } from "./host/replay.ts";
export type { WindowOptions } from "./host/runner.ts";
export type {
  Bonds,
  CallBond,
  GroupBond,
  Span,
  SpanIndex,
  SpanList,
  WindowState,
} from "./state/state.ts";
export { initialState, spanAt } from "./state/state.ts";
export type { EditStatus, Recovery, StatusWord } from "./view/status.ts";
export { recordedSpans, recoveryOf, statusOf, statusWith } from "./view/status.ts";
export type { Step } from "./decide/step.ts";
export type { Tokenizer } from "./view/tokenizer.ts";
export { utf8Div4 } from "./view/tokenizer.ts";
export type { WindowTokens } from "./view/tokens.ts";
export { windowTokens } from "./view/tokens.ts";
export type { ClaimView, SpanView, WindowView } from "./view/window-view.ts";
export { shownSpans, viewOf } from "./view/window-view.ts";
export type { Done, OpenOptions } from "./host/window.ts";
export { openWindow, Window } from "./host/window.ts";
