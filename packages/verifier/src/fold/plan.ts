import type { EventMetadata, WindowEventOf } from "@palimpsest/core/events";
import type { Edits, Write } from "./edits.ts";
import type { Slots } from "./slots.ts";
import type { SpanBirth, Spans } from "./spans.ts";
import { ABSENT, LIVE, NONE } from "./spans.ts";

export type EditData = WindowEventOf<"WindowEdited">["data"];
export type RecordData = WindowEventOf<"RecoveryRecorded">["data"];

/** What of the fold an edit looks at. */
interface Marked {
  readonly spans: Spans;
  readonly slots: Slots;
  readonly edits: Edits;
  readonly record: RecordData | undefined;
}

/** What an edit will do to the marks, before it does it. */
export interface EditPlan {
  readonly data: EditData;
  /** The record directly before the edit in its append, if there is one. */
  readonly record: RecordData | undefined;
  /** What a rewrite or evict takes. */
  readonly inputs: readonly number[];
  /** Writes to spans that exist; the product comes in addition. */
  readonly writes: readonly Write[];
  readonly product: SpanBirth | undefined;
  /** The spans outside the edit, for the call that asked for it. */
  readonly own: ReadonlySet<number>;
}

export function planEdit(
  fold: Marked,
  data: EditData,
  { via }: Pick<EventMetadata, "via">,
  revision: number,
): EditPlan {
  const { record } = fold;
  const takes = data.verb === "rewrite" || data.verb === "evict";
  const inputs = takes && record?.editId === data.editId ? named(fold, record) : [];
  const own = ownSpans(fold, via);
  return {
    data,
    record,
    inputs,
    own,
    writes: writesOf(fold, data, inputs, own),
    product: data.creates === undefined ? undefined : productOf(fold, data, inputs, revision),
  };
}

/** The spans a record names, each once. */
function named({ spans }: Marked, record: RecordData): number[] {
  const indices = record.consumed.map(({ spanId }) => spans.find(spanId));
  return [...new Set(indices)].filter((index) => index !== NONE);
}

function writesOf(
  fold: Marked,
  data: EditData,
  inputs: readonly number[],
  own: ReadonlySet<number>,
): Write[] {
  const { edits, spans } = fold;
  const number = edits.size + 1;
  switch (data.verb) {
    case "rewrite":
    case "evict":
      return inputs.map((span) => ({ span, before: spans.mark(span), after: number }));
    case "undo":
    case "redo": {
      const target = edits.find(data.target);
      if (target === 0) return [];
      return [...edits.writes(target)].map(({ span, before, after }) => ({
        span,
        before: spans.mark(span),
        after: data.verb === "undo" ? before : after,
      }));
    }
    case "rewind":
      return rewindWrites(fold, data.to ?? 0, own);
  }
}

/** The marks that have to change for them to be what they were after the event at `to`. */
function rewindWrites(fold: Marked, to: number, own: ReadonlySet<number>): Write[] {
  const { spans } = fold;
  const wanted = marksBack(fold, to);
  for (let span = spans.firstBornAfter(to); span < spans.size; span += 1) wanted.set(span, ABSENT);
  const writes: Write[] = [];
  for (const [span, after] of wanted) {
    const before = spans.mark(span);
    if (before !== after && !own.has(span)) writes.push({ span, before, after });
  }
  return writes;
}

/** The marks at `to` of the spans that were written since, found by walking the edits back. */
function marksBack({ edits }: Marked, to: number): Map<number, number> {
  const marks = new Map<number, number>();
  for (let number = edits.size; number > 0 && edits.revision(number) > to; number -= 1) {
    for (const { span, before } of edits.writes(number)) marks.set(span, before);
  }
  return marks;
}

function productOf(
  { spans, slots, edits }: Marked,
  data: EditData,
  inputs: readonly number[],
  revision: number,
): SpanBirth | undefined {
  const { creates } = data;
  if (creates === undefined) return undefined;
  const [only, ...more] = inputs;
  const single = more.length === 0 ? only : undefined;
  const slot = inputs.reduce((least, span) => Math.min(least, spans.slot(span)), slots.size);
  return {
    id: creates.spanId,
    revision,
    slot,
    origin: creates.origin,
    kind: creates.kind,
    tokens: creates.tokens,
    digest: creates.digest,
    json: typeof creates.content !== "string",
    createdBy: edits.size + 1,
    ...(single !== undefined && {
      call: spans.calls.nameOf(single),
      group: spans.groups.nameOf(single),
      message: spans.messages.nameOf(single),
      tool: spans.tool(single),
    }),
  };
}

const NOTHING: ReadonlySet<number> = new Set();

/**
 * The spans outside the edit that a call asked for (docs/decisions/own-call.md): those that play
 * the call, every block of its message, and, closed under both, what shares a bond with one of
 * them or was ever written by the same rewrite or evict.
 */
export function ownSpans({ spans, edits }: Marked, via: string | undefined): ReadonlySet<number> {
  if (via === undefined) return NOTHING;
  const own = new Set(spans.calls.named(via));
  const seen = new Set<number>();
  for (const span of own) {
    for (const other of spans.calls.named(spans.calls.nameOf(span))) own.add(other);
    for (const other of spans.groups.named(spans.groups.nameOf(span))) own.add(other);
    if (spans.kind(span) !== "tool-result") {
      for (const other of spans.messages.named(spans.messages.nameOf(span))) own.add(other);
    }
    for (const edit of edits.writersOf(span)) {
      const verb = edits.verb(edit);
      if (seen.has(edit) || (verb !== "rewrite" && verb !== "evict")) continue;
      seen.add(edit);
      for (const write of edits.writes(edit)) own.add(write.span);
    }
  }
  return own;
}

/** Indices of the spans that an edit takes out of view. */
export function leavingSpans({ writes }: EditPlan): number[] {
  return writes
    .filter(({ before, after }) => before === LIVE && after !== LIVE)
    .map(({ span }) => span);
}
