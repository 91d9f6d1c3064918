import { isModel } from "../commands/principals.ts";
import type { WindowEventOf } from "../events/schema.ts";
import type { Json } from "../json/json.ts";
import { marksChanged, observeSource } from "./claim-fold.ts";
import type { Draft } from "./draft.ts";
import { enter } from "./marked.ts";
import type { Mark, Write } from "./marks.ts";
import { ABSENT, LIVE } from "./marks.ts";
import { countRead } from "./reads.ts";
import type { Span } from "./state.ts";
import { spanAt } from "./state.ts";

/** An admitted span is live from its birth. */
export function admit(
  draft: Draft,
  data: WindowEventOf<"SpanAdmitted">["data"],
  revision: number,
  by: string,
): void {
  const { spanId, content, provider, ...rest } = data;
  const recalledIndex =
    data.recallOf === undefined ? undefined : draft.spans.indexOf(data.recallOf);
  const recalled = recalledIndex === undefined ? undefined : spanAt(draft, recalledIndex);
  const span: Span = {
    ...rest,
    index: draft.spans.size,
    id: spanId,
    revision,
    contentRevision: recalled?.contentRevision ?? revision,
    json: recalled?.json ?? isJson(content),
    slot: draft.slotCount,
    position: revision,
    messageNumber: messageNumber(draft, data.message?.id),
    sealed: data.sealed ?? false,
    pinned: data.pinned ?? data.origin === "system",
    ...(recalledIndex !== undefined && { recallIndex: recalledIndex }),
  };
  draft.slotCount += 1;
  draft.messageCount = Math.max(draft.messageCount, span.messageNumber);
  if (data.recallOf !== undefined) countRead(draft, data.recallOf);
  // A recall repeats old words: nobody spoke.
  else if (data.origin === "user" || data.origin === "tool") draft.epochHasInput = true;
  addSpan(draft, span, LIVE);
  if (recalledIndex !== undefined) {
    const others = draft.recalls.get(recalledIndex, []);
    draft.recalls = draft.recalls.set(recalledIndex, [...others, span.index]);
    // It carries what its original carries: a decision that was withdrawn is in force again.
    marksChanged(draft, [{ span: span.index, before: ABSENT, after: LIVE }]);
  }
  if (span.source !== undefined) noteSource(draft, span, span.source, by);
}

/** Blocks of one message share its number; a span without a message counts as one. */
function messageNumber(draft: Draft, message: string | undefined): number {
  const first = message === undefined ? undefined : draft.spans.message(message)[0];
  return first === undefined ? draft.messageCount + 1 : spanAt(draft, first).messageNumber;
}

/** Whoever read a source to admit it has looked at it; a recall and the model's party have not. */
function noteSource(
  draft: Draft,
  span: Span,
  { uri, digest }: NonNullable<Span["source"]>,
  by: string,
): void {
  const earlier = draft.spansOf.get(uri, []);
  // A recall reads no source; what it repeats was counted already.
  for (const index of span.recallOf === undefined ? earlier.slice(-16) : []) {
    // The same content came from the same place once more: what is in the window was read again.
    const other = spanAt(draft, index);
    if (other.source?.digest === digest) countRead(draft, other.id);
  }
  draft.spansOf = draft.spansOf.set(uri, [...earlier, span.index]);
  const looked = span.recallOf === undefined && !isModel(by);
  if (looked) observeSource(draft, uri, digest);
}

/** The span a rewrite creates; a 1-to-1 rewrite plays its input's part in every bond. */
export function createProduct(
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
      messageNumber: only?.messageNumber ?? draft.messageCount,
      digest: creates.digest,
      json: isJson(creates.content),
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

function isJson(content: Json | undefined): boolean {
  return typeof content !== "string";
}

/** Enters a span into the window, and its mark. */
function addSpan(draft: Draft, span: Span, mark: Mark): void {
  draft.spans = draft.spans.push(span);
  enter(draft, span, mark);
}
