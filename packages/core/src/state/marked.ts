import type { Draft } from "./draft.ts";
import type { Mark, Write } from "./marks.ts";
import { ABSENT, LIVE, markOf } from "./marks.ts";
import type { SlotTable } from "./slots.ts";
import type { Span } from "./state.ts";
import { spanAt } from "./state.ts";

/** Sets one mark and whatever is counted from marks. */
export function write(draft: Draft, { span: index, after }: Write): void {
  const span = spanAt(draft, index);
  const before = markOf(draft, index);
  if (before === after) return;
  draft.marks = draft.marks.set(index, after);
  count(draft, span, before, after);
}

/** Enters the mark of a span just born. */
export function enter(draft: Draft, span: Span, mark: Mark): void {
  draft.marks = draft.marks.push(mark);
  if (mark !== ABSENT) count(draft, span, ABSENT, mark);
}

function count(draft: Draft, span: Span, before: Mark, after: Mark): void {
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
