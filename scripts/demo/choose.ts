import type { Span, WindowState } from "@palimpsest/core";

/** Live spans in order of position. */
export function liveSpans(state: WindowState): Span[] {
  return [...state.slots.occupants()]
    .filter(({ live }) => live)
    .map(({ span }) => state.spans.get(span))
    .filter((span) => span !== undefined);
}

/** The tool result that costs most and may be rewritten. */
export function largestResult(state: WindowState): Span | undefined {
  return liveSpans(state)
    .filter(({ kind, sealed, pinned }) => kind === "tool-result" && !sealed && !pinned)
    .sort((a, b) => b.tokens - a.tokens)[0];
}

/**
 * The oldest spans that can be evicted together: a live tool call with whatever its bonds hold
 * together (its group, the group's other calls, and all their results).
 */
export function oldestBundle(state: WindowState, except: string): Span[] {
  for (const call of liveSpans(state)) {
    if (call.kind !== "tool-call") continue;
    const bundle = bundleOf(state, call);
    const ids = bundle.map(({ id }) => id);
    if (!ids.includes(except) && bundle.every(({ pinned }) => !pinned)) return bundle;
  }
  return [];
}

function bundleOf(state: WindowState, start: Span): Span[] {
  const live = liveSpans(state);
  const bundle = new Set([start]);
  for (const span of bundle) {
    for (const other of live) {
      const sameCall = other.call !== undefined && other.call === span.call;
      const sameGroup = other.group !== undefined && other.group === span.group;
      if (sameCall || sameGroup) bundle.add(other);
    }
  }
  return [...bundle].sort((a, b) => a.position - b.position);
}
