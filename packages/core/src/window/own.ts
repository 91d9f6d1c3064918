import type { WindowState } from "./state.ts";
import { spanAt } from "./state.ts";

const NONE: ReadonlySet<number> = new Set();

/**
 * The spans outside the edit that a tool call asked for: the call named by `via`, every block of
 * its message, and whatever is bound to those (results, groups), by index. The window must still
 * hold the call when its result arrives, so an edit never touches the call that caused it.
 */
export function ownSpans(state: WindowState, via: string | undefined): ReadonlySet<number> {
  const bond = via === undefined ? undefined : state.calls.get(via);
  if (bond === undefined) return NONE;
  const own = new Set<number>([...bond.calls, ...bond.results]);
  for (const index of own) {
    for (const other of neighbours(state, index)) own.add(other);
  }
  return own;
}

/** A set grows while it is walked, so one pass over `own` is the closure. */
function* neighbours(state: WindowState, index: number): Generator<number> {
  const span = spanAt(state, index);
  if (span.call !== undefined) {
    const bond = state.calls.get(span.call);
    if (bond !== undefined) yield* [...bond.calls, ...bond.results];
  }
  if (span.group !== undefined) yield* state.groups.get(span.group)?.players ?? [];
  if (span.kind !== "tool-result" && span.message !== undefined) {
    yield* state.messages.get(span.message.id) ?? [];
  }
}
