import type { EventMetadata, RecordedWindowEvent, WindowEventOf } from "../events/schema.ts";
import { admit, createProduct } from "./births.ts";
import {
  assertClaim,
  marksChanged,
  noteConflict,
  observeSource,
  retractClaim,
} from "./claim-fold.ts";
import { isClosed } from "./closure.ts";
import type { Draft } from "./draft.ts";
import { mutableDraft, settle } from "./draft.ts";
import { authorPolicy, openEpoch, propose, revive, settleProposal } from "./epochs.ts";
import { write } from "./marked.ts";
import type { Edit, Write } from "./marks.ts";
import { ABSENT, inverse, LIVE, markOf, rewindWrites } from "./marks.ts";
import { ownSpans } from "./own-call.ts";
import { countRead } from "./reads.ts";
import type { WindowState } from "./state.ts";
import { bornUpTo, spanAt } from "./state.ts";

/*
 * The fold. A page of events is folded into a private copy of the state whose collections are
 * mutable for as long as the page lasts; what comes out is a value again. Nothing is checked here:
 * decide did that before the append, and the verifier does it again on its own.
 */

/** From this many events on, making the collections mutable costs less than copying paths. */
const WORTH_MUTATING = 8;

/** An event at its place, as far as the fold looks at it. */
export type PlacedEvent = RecordedWindowEvent extends infer E
  ? E extends RecordedWindowEvent
    ? Pick<E, "type" | "data" | "revision"> & { readonly metadata: Placement }
    : never
  : never;
type Placement = Pick<EventMetadata, "by" | "via" | "commandId" | "index" | "count">;

/** The state after one more event. */
export function evolve(state: WindowState, event: PlacedEvent): WindowState {
  return evolveAll(state, [event]);
}

/** The state after `events`, which follow `state.revision` without a gap. */
export function evolveAll(state: WindowState, events: readonly PlacedEvent[]): WindowState {
  if (events.length >= WORTH_MUTATING) {
    const draft = mutableDraft(state);
    for (const event of events) fold(draft, event);
    return settle(draft);
  }
  const draft: Draft = { ...state };
  for (const event of events) fold(draft, event);
  return draft;
}

/** Folds one event into a draft. */
export function fold(draft: Draft, event: PlacedEvent): void {
  if (event.revision !== draft.revision + 1) {
    throw new RangeError(
      `event at revision ${event.revision} cannot follow revision ${draft.revision}`,
    );
  }
  apply(draft, event);
  draft.revision = event.revision;
  noteAppend(draft, event.revision, event.metadata);
}

/** Remembers which command an append came from, and where it ended. */
export function noteAppend(draft: Draft, revision: number, metadata: Placement): void {
  if (metadata.index === 0) {
    draft.commands = draft.commands.set(metadata.commandId, revision);
  }
  if (metadata.index === metadata.count - 1) draft.boundaries = draft.boundaries.push(revision);
}

function apply(draft: Draft, event: PlacedEvent): void {
  switch (event.type) {
    case "WindowOpened":
      draft.budget = event.data.budgetTokens;
      draft.tokenizer = event.data.tokenizer;
      break;
    case "SpanAdmitted":
      admit(draft, event.data, event.revision, event.metadata.by);
      break;
    case "SpansRead":
      for (const id of event.data.spanIds) countRead(draft, id);
      break;
    case "RecoveryRecorded":
      record(draft, event);
      break;
    case "WindowEdited":
      edit(draft, event);
      draft.openRecord = undefined;
      break;
    case "WindowRendered":
      draft.firstChanged = null;
      break;
    case "ClaimAsserted":
      assertClaim(draft, event.data, event.metadata.by);
      break;
    case "ClaimRetracted":
      retractClaim(draft, event.data, event.metadata.by);
      break;
    case "ConflictNoted":
      noteConflict(draft, event.data, event.metadata.by);
      break;
    case "PolicyAuthored":
      authorPolicy(draft, event.data, event.metadata.by);
      break;
    case "EpochOpened":
      openEpoch(draft, event.data);
      break;
    case "PruningProposed":
      propose(draft, event.data, event.metadata.by);
      break;
    case "PruningSettled":
      settleProposal(draft, event.data);
      break;
    case "SourceObserved":
      observeSource(draft, event.data.uri, event.data.digest);
      break;
    default:
      forgotten(event);
  }
}

/** Does not compile where a type of event has no case; `upcast` lets no other one through. */
function forgotten(event: never): never {
  throw new TypeError(`the fold has no case for ${JSON.stringify(event)}`);
}

function edit(draft: Draft, event: PlacedEvent & { readonly type: "WindowEdited" }): void {
  const { data, revision } = event;
  const { via } = event.metadata;
  const { ordinal } = data;
  const closed = isClosed(draft, event);
  if (!closed) draft.unclosedCount += 1;
  const inputs = data.verb === "rewrite" || data.verb === "evict" ? takes(draft, event) : [];
  const product =
    data.creates === undefined ? undefined : createProduct(draft, data, inputs, revision);
  const writes =
    product === undefined
      ? writesOf(draft, data, inputs, via)
      : [...inputs, { span: product, before: ABSENT, after: LIVE }];
  const target = data.target === undefined ? undefined : draft.editOrdinal.get(data.target);
  const mergeOf = data.mergeOf === undefined ? undefined : draft.editOrdinal.get(data.mergeOf);
  const entry: Edit = {
    id: data.editId,
    ordinal,
    verb: data.verb,
    revision,
    closed,
    writes,
    ...(product !== undefined && { product }),
    ...(target !== undefined && { target }),
    ...(mergeOf !== undefined && { mergeOf }),
    ...(data.to !== undefined && { to: data.to }),
    ...(data.proposalId !== undefined && { proposalId: data.proposalId }),
    ...(data.abandoned !== undefined && { abandoned: data.abandoned }),
  };
  draft.edits = draft.edits.push(entry);
  draft.editOrdinal = draft.editOrdinal.set(data.editId, ordinal);
  for (const one of writes) write(draft, one);
  marksChanged(draft, writes);
  if (product === undefined && data.verb !== "evict") revive(draft, writes);
  if (mergeOf !== undefined) {
    draft.merges = draft.merges.set(mergeOf, [...draft.merges.get(mergeOf, []), ordinal]);
  }
}

function record(draft: Draft, event: PlacedEvent & { readonly type: "RecoveryRecorded" }): void {
  const { data, revision } = event;
  draft.recordCount += 1;
  draft.openRecord = { ...data, revision, commandId: event.metadata.commandId };
  for (const { spanId, digest } of data.consumed) {
    const index = draft.spans.indexOf(spanId);
    if (index === undefined || spanAt(draft, index).digest === digest) continue;
    draft.disputed = draft.disputed.set(index, digest);
  }
}

/** What a rewrite or evict consumes: what its record names, and without a record nothing. */
function takes(
  draft: Draft,
  { data, revision }: PlacedEvent & { readonly type: "WindowEdited" },
): Write[] {
  const record = draft.openRecord;
  if (record?.revision !== revision - 1 || record.editId !== data.editId) return [];
  const named = new Set(record.consumed.map(({ spanId }) => draft.spans.indexOf(spanId)));
  const writes: Write[] = [];
  for (const span of named) {
    if (span === undefined) continue;
    writes.push({ span, before: markOf(draft, span), after: data.ordinal });
  }
  return writes;
}

function writesOf(
  draft: Draft,
  data: WindowEventOf<"WindowEdited">["data"],
  inputs: Write[],
  via: string | undefined,
): Write[] {
  switch (data.verb) {
    case "rewrite":
    case "evict":
      return inputs;
    case "rewind": {
      const to = data.to ?? 0;
      return rewindWrites(draft, to, bornUpTo(draft, to), ownSpans(draft, via));
    }
    case "undo":
      return inverse(writesOfTarget(draft, data.target));
    case "redo":
      return [...writesOfTarget(draft, data.target)];
  }
}

function writesOfTarget(draft: Draft, editId = ""): readonly Write[] {
  const ordinal = draft.editOrdinal.get(editId);
  return ordinal === undefined ? [] : (draft.edits.get(ordinal - 1)?.writes ?? []);
}
