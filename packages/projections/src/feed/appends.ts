import type { StoredEvent } from "@palimpsest/core";

/**
 * Whether an append ends with this event. An event without a place in an append (no metadata of
 * this library's) is an append of its own.
 */
export function endsAppend({ metadata }: StoredEvent): boolean {
  if (typeof metadata !== "object" || metadata === null || Array.isArray(metadata)) return true;
  const { index, count } = metadata as { readonly index?: unknown; readonly count?: unknown };
  return typeof index !== "number" || typeof count !== "number" || index >= count - 1;
}

/** Number of leading events that are whole appends. */
export function wholeAppends(events: readonly StoredEvent[]): number {
  return events.findLastIndex(endsAppend) + 1;
}

/** The whole appends at the start of `events`, one after another. */
export function* appendsOf(events: readonly StoredEvent[]): Generator<readonly StoredEvent[]> {
  let from = 0;
  for (const [index, event] of events.entries()) {
    if (!endsAppend(event)) continue;
    yield events.slice(from, index + 1);
    from = index + 1;
  }
}
