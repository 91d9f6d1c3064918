import { produce } from "immer";
import type { EventMetadata, RecordedWindowEvent, WindowEventOf } from "../events/schema.ts";
import type { Edit, Mark, Write } from "../marks/marks.ts";
import { ABSENT, inverse, LIVE, markOf, rewindWrites } from "../marks/marks.ts";
import type { SlotTable } from "../marks/slots.ts";
import { ownSpans } from "./own.ts";
import type { CallBond, GroupBond, Span, WindowState } from "./state.ts";
import { bornUpTo, spanAt } from "./state.ts";

/*
 * The fold. A page of events is folded into a private copy of the state whose collections are
 * mutable for as long as the page lasts; what comes out is a value again. Nothing is checked here:
 * decide did that before the append, and the verifier does it again on its own.
 */

/** The private copy: its fields may be replaced. */
type Draft = { -readonly [K in keyof WindowState]: WindowState[K] };

/** Collections that an event may touch. */
const COLLECTIONS = [
  "marks",
  "edits",
  "merges",
  "spans",
  "spanIndex",
  "slots",
  "reads",
  "editOrdinal",
  "calls",
  "groups",
  "messages",
  "boundaries",
  "commands",
] as const satisfies readonly (keyof WindowState)[];

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
  const draft: Draft = { ...state };
  const mutate = events.length >= WORTH_MUTATING;
  if (mutate) convert(draft, "asMutable");
  for (const event of events) {
    if (event.revision !== draft.revision + 1) {
      throw new RangeError(
        `event at revision ${event.revision} cannot follow revision ${draft.revision}`,
      );
    }
    apply(draft, event);
    draft.revision = event.revision;
    noteAppend(draft, event.revision, event.metadata);
  }
  if (mutate) convert(draft, "asImmutable");
  return draft;
}

function convert(draft: Draft, how: "asMutable" | "asImmutable"): void {
  for (const name of COLLECTIONS) Object.assign(draft, { [name]: draft[name][how]() });
}

function noteAppend(draft: Draft, revision: number, metadata: Placement): void {
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
      admit(draft, event.data, event.revision);
      break;
    case "SpansRead":
      for (const id of event.data.spanIds) countRead(draft, id);
      break;
    case "RecoveryRecorded":
      draft.recordCount += 1;
      draft.openRecord = event.data;
      break;
    case "WindowEdited":
      edit(draft, event.data, event.revision, event.metadata.via);
      draft.openRecord = undefined;
      break;
    case "WindowRendered":
      draft.firstChanged = null;
      break;
  }
}

function countRead(draft: Draft, spanId: string): void {
  const index = draft.spanIndex.get(spanId);
  if (index !== undefined) draft.reads = draft.reads.set(index, draft.reads.get(index, 0) + 1);
}

function admit(draft: Draft, data: WindowEventOf<"SpanAdmitted">["data"], revision: number): void {
  const { spanId, content, provider, ...rest } = data;
  const recalled = data.recallOf === undefined ? undefined : draft.spanIndex.get(data.recallOf);
  const span: Span = {
    ...rest,
    index: draft.spans.size,
    id: spanId,
    revision,
    contentRevision: recalled === undefined ? revision : spanAt(draft, recalled).contentRevision,
    slot: draft.slotCount,
    position: revision,
    sealed: data.sealed ?? false,
    pinned: data.pinned ?? data.origin === "system",
  };
  draft.slotCount += 1;
  if (data.recallOf !== undefined) countRead(draft, data.recallOf);
  addSpan(draft, span, LIVE);
}

const NO_CALL: CallBond = { calls: [], results: [] };
const NO_GROUP: GroupBond = { members: 0, players: [] };

/** Enters a span into the marks and into the bonds it plays a part in. */
function addSpan(draft: Draft, span: Span, mark: number): void {
  const { index } = span;
  draft.spans = draft.spans.push(span);
  draft.spanIndex = draft.spanIndex.set(span.id, index);
  draft.marks = draft.marks.push(ABSENT);
  if (span.call !== undefined) {
    const bond = produce(draft.calls.get(span.call, NO_CALL), ({ calls, results }) => {
      (span.kind === "tool-call" ? calls : results).push(index);
    });
    draft.calls = draft.calls.set(span.call, bond);
  }
  if (span.group !== undefined) {
    const bond = produce(draft.groups.get(span.group, NO_GROUP), (group) => {
      group.players.push(index);
      if (span.createdBy === undefined) group.members += 1;
    });
    draft.groups = draft.groups.set(span.group, bond);
  }
  if (span.message !== undefined) {
    const others = draft.messages.get(span.message.id, []);
    draft.messages = draft.messages.set(span.message.id, [...others, index]);
  }
  if (mark === LIVE) write(draft, { span: index, before: ABSENT, after: LIVE });
}

function edit(
  draft: Draft,
  data: WindowEventOf<"WindowEdited">["data"],
  revision: number,
  via: string | undefined,
): void {
  const { ordinal } = data;
  const inputs = data.verb === "rewrite" || data.verb === "evict" ? takes(draft, ordinal) : [];
  const product = data.creates === undefined ? undefined : create(draft, data, inputs, revision);
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
    writes,
    ...(product !== undefined && { product }),
    ...(target !== undefined && { target }),
    ...(mergeOf !== undefined && { mergeOf }),
    ...(data.to !== undefined && { to: data.to }),
    ...(data.abandoned !== undefined && { abandoned: data.abandoned }),
  };
  draft.edits = draft.edits.push(entry);
  draft.editOrdinal = draft.editOrdinal.set(data.editId, ordinal);
  for (const one of writes) write(draft, one);
  if (mergeOf !== undefined) {
    draft.merges = draft.merges.set(mergeOf, [...draft.merges.get(mergeOf, []), ordinal]);
  }
}

/** What a rewrite or evict consumes: what its record names, and without a record nothing. */
function takes(draft: Draft, ordinal: number): Write[] {
  const record = draft.openRecord;
  if (record?.ordinal !== ordinal) return [];
  const writes: Write[] = [];
  for (const { spanId } of record.consumed) {
    const span = draft.spanIndex.get(spanId);
    if (span !== undefined) writes.push({ span, before: markOf(draft, span), after: ordinal });
  }
  return writes;
}

function writesOf(
  draft: Draft,
  data: WindowEventOf<"WindowEdited">["data"],
  inputs: Write[],
  via: string | undefined,
): Write[] {
  if (data.verb === "rewind") {
    const to = data.to ?? 0;
    return rewindWrites(draft, to, bornUpTo(draft, to), ownSpans(draft, via));
  }
  if (data.verb !== "undo" && data.verb !== "redo") return inputs;
  const target = draft.editOrdinal.get(data.target ?? "");
  const writes = target === undefined ? [] : (draft.edits.get(target - 1)?.writes ?? []);
  return data.verb === "undo" ? inverse(writes) : [...writes];
}

/** The span a rewrite creates; a 1-to-1 rewrite plays its input's part in every bond. */
function create(
  draft: Draft,
  data: WindowEventOf<"WindowEdited">["data"],
  inputs: readonly Write[],
  revision: number,
): number {
  const creates = data.creates as NonNullable<typeof data.creates>;
  const sources = inputs.map((input) => spanAt(draft, input.span));
  const first = sources.reduce<Span | undefined>(
    (least, span) => (least === undefined || span.position < least.position ? span : least),
    undefined,
  );
  const only = sources.length === 1 ? first : undefined;
  const { message, call, tool, group } = only ?? {};
  const index = draft.spans.size;
  addSpan(
    draft,
    {
      index,
      id: creates.spanId,
      revision,
      contentRevision: revision,
      slot: first?.slot ?? draft.slotCount,
      position: first?.position ?? revision,
      origin: creates.origin,
      kind: creates.kind,
      tokens: creates.tokens,
      digest: creates.digest,
      sealed: false,
      pinned: false,
      createdBy: data.ordinal,
      ...(message !== undefined && { message }),
      ...(call !== undefined && { call }),
      ...(tool !== undefined && { tool }),
      ...(group !== undefined && { group }),
    },
    ABSENT,
  );
  if (first === undefined) draft.slotCount += 1;
  return index;
}

/** Sets one mark and whatever is counted from marks. */
function write(draft: Draft, { span: index, after }: Write): void {
  const span = spanAt(draft, index);
  const before = markOf(draft, index);
  if (before === after) return;
  draft.marks = draft.marks.set(index, after);
  const enters = Number(after === LIVE) - Number(before === LIVE);
  draft.liveCount += enters;
  draft.liveTokens += enters * span.tokens;
  draft.outOfView += Number(after > 0) - Number(before > 0);
  draft.slots = occupy(draft, span, after);
  if (draft.firstChanged === null || span.position < draft.firstChanged) {
    draft.firstChanged = span.position;
  }
}

/** An evicted span keeps its slot, where the window shows a gap; any other one leaves it. */
function occupy(draft: Draft, span: Span, mark: Mark): SlotTable {
  if (mark === LIVE) return draft.slots.withLive(span.slot, span.index);
  const evicted = mark > 0 && draft.edits.get(mark - 1)?.verb === "evict";
  if (evicted) return draft.slots.withEvicted(span.slot, span.index);
  return draft.slots.without(span.slot, span.index);
}
