/*
 * `@palimpsest/core`: windows, their commands and answers, and the log port with its in-memory
 * adapter. Runs in Node and in a browser. Stores, layers and internals have entries of their own.
 */
export type {
  Accepted,
  AcceptedBatch,
  AcceptedOf,
  Answer,
  AnswerIds,
  Moves,
  NothingToDo,
  Refused,
  RefusedSettlement,
  Rendering,
  Settlement,
  Settlements,
  UndoneBy,
  WriteAnswerOf,
} from "./commands/answers.ts";
export type {
  Batch,
  BatchableName,
  BatchItem,
  BatchItemOf,
  CommandInput as Command,
  CommandInputOf as CommandOf,
  CommandInputs,
  CommandName,
  Named,
  NamedItems,
  ReadInput as ReadCommand,
  ReadName,
  WriteInput as WriteCommand,
  WriteName,
} from "./commands/by-name.ts";
export type * from "./commands/inputs.ts";
export type { Plan } from "./commands/plan.ts";
export type { Party, Principal } from "./commands/principals.ts";
export { parsePrincipal } from "./commands/principals.ts";
export type { Refusal, RefusalCode, RefusalDetails } from "./commands/refusals.ts";
export { batchSchema, readCommandSchemas, writeCommandSchemas } from "./commands/schema.ts";
export type {
  ClaimKind,
  EventMetadata,
  Origin,
  RecordedWindowEvent,
  RetainedWhy,
  SourceRef,
  SpanKind,
  Verb,
  WindowEvent,
  WindowEventOf,
  WindowEventType,
} from "./events/index.ts";
export {
  EventNotUnderstoodError,
  eventId,
  upcast,
  VERDICT_STREAM_PREFIX,
  verdictStream,
  WINDOW_STREAM_PREFIX,
  windowStream,
} from "./events/index.ts";
export type { AnswerOf, Done, WithIds } from "./host/answer-of.ts";
export {
  CommandRefusedError,
  ConflictAsymmetryError,
  IrreversibleEditError,
  isRefused,
  ProvenanceOrphanError,
  RecoveryRegionError,
} from "./host/errors.ts";
export type {
  AppendSoFar,
  BeyondLimits,
  ClaimFinder,
  FinderWindow,
  FoundClaims,
  FoundCommand,
  LeftOut,
  UndecidedAppend,
} from "./host/finder.ts";
export type { CommandGate } from "./host/gate.ts";
export type { Waiting } from "./host/lost-race.ts";
export type { OpenOptions } from "./host/open.ts";
export { openWindow } from "./host/open.ts";
export type { Preview, RenderedText } from "./host/preview.ts";
export type { PruneOptions } from "./host/prune.ts";
export type { PolicyStatus, ProbedEdit, ReadAnswer, ReadAnswers } from "./host/read.ts";
export type { WindowOptions } from "./host/runner.ts";
export type { Extras, Fields } from "./host/window.ts";
export { Window } from "./host/window.ts";
export { canonicalJson } from "./json/canonical.ts";
export { contentDigest, contentText } from "./json/digest.ts";
export type { Json, JsonObject } from "./json/json.ts";
export type { LogErrorCode } from "./log/errors.ts";
export { isLogError, LogError, WrongExpectedRevisionError } from "./log/errors.ts";
export { readerOf, writerOf } from "./log/handles.ts";
export { createMemoryLog } from "./log/memory.ts";
export type * from "./log/port.ts";
export { unifiedDiff } from "./policy/diff.ts";
export type { Judgement, ParsedPolicy, Policy } from "./policy/document.ts";
export { parsePolicy } from "./policy/document.ts";
export type { SpanFacts, ToolStatus, WindowFacts } from "./policy/facts.ts";
export type { FunctionSelection, PolicyFunction } from "./policy/function.ts";
export { policyFunction } from "./policy/function.ts";
export type { ReadyPolicy } from "./policy/ready.ts";
export { READY_POLICIES, readyPolicy } from "./policy/ready.ts";
export type { ClaimStatus, SourceState } from "./view/claim-status.ts";
export type { ParsedGap, ParsedRendering, ParsedSpan } from "./view/parse.ts";
export { parseRendering } from "./view/parse.ts";
export type {
  ParsedClaim,
  ParsedClaims,
  ParsedHistory,
  ParsedRetraction,
} from "./view/parse-claims.ts";
export type { EditStatus, Recovery, StatusWord } from "./view/status.ts";
export type { Tokenizer } from "./view/tokenizer.ts";
export { utf8Div4 } from "./view/tokenizer.ts";
export type { ClaimView, LedgerView, SpanView, WindowView } from "./view/window-view.ts";
