import { boundTo } from "./bound.ts";
import type { WindowState } from "./state.ts";
import { spanAt } from "./state.ts";

const NONE: ReadonlySet<number> = new Set();

/**
 * The spans outside the edit that a tool call asked for: the call named by `via`, every block of
 * its message, and whatever is tied to those, by index. The window must still hold the call when
 * its result arrives, so an edit never touches the call that caused it.
 *
 * Tied are the spans of one bond (call and result, group) and the spans of one rewrite or evict:
 * an edit holds all its spans or none, and a rewind that moved some of them only would leave a
 * product beside its source, or a source that nothing stands for.
 */
export function ownSpans(state: WindowState, via: string | undefined): ReadonlySet<number> {
  const bond = via === undefined ? undefined : state.spans.call(via);
  if (bond === undefined) return NONE;
  const own = new Set<number>([...bond.calls, ...bond.results]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    // A set grows while it is walked, so this is the closure under the bonds.
    for (const index of own) for (const other of tiedTo(state, index)) own.add(other);
    for (const edit of state.edits) {
      const ties = edit.verb === "rewrite" || edit.verb === "evict";
      if (ties && edit.writes.some(({ span }) => own.has(span))) {
        for (const { span } of edit.writes) own.add(span);
      }
    }
  }
  return own;
}

/** What shares a bond, or the message of a call, with a span. */
function tiedTo(state: WindowState, index: number): readonly number[] {
  const span = spanAt(state, index);
  const bound = boundTo(state, span);
  if (span.kind === "tool-result" || span.message === undefined) return bound;
  return [...bound, ...state.spans.message(span.message.id)];
}
