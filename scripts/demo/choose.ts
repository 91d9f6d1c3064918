import type { Window } from "@palimpsest/core";
import { isRefused } from "@palimpsest/core";
import type { Span, WindowState } from "@palimpsest/core/state";

/** A span of fewer tokens is about as short as the note that the tour writes in its place. */
const SHORT = 40;

/** Live spans in order of position. */
export function liveSpans(state: WindowState): Span[] {
  return [...state.slots.occupants()]
    .filter(({ live }) => live)
    .map(({ span }) => state.spans.get(span))
    .filter((span) => span !== undefined);
}

/** The tool result that costs most and may be rewritten; without one, the model's longest text. */
export function worthShortening(state: WindowState): Span | undefined {
  const long = liveSpans(state)
    .filter(({ sealed, pinned, tokens }) => !sealed && !pinned && tokens >= SHORT)
    .sort((a, b) => b.tokens - a.tokens);
  return (
    long.find(({ kind }) => kind === "tool-result") ??
    long.find(({ kind, origin }) => kind === "text" && origin === "assistant")
  );
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

/** The append boundary nearest to half of `revision` that a rewind may go to, if it changes any. */
export async function halfWay(
  window: Window,
  { boundaries }: WindowState,
  revision: number,
): Promise<number | undefined> {
  const middle = boundaries.findLast((boundary) => boundary <= revision / 2) ?? 0;
  const first = await rewindTo(window, middle);
  const second = first.nearest === undefined ? first : await rewindTo(window, first.nearest);
  return second.possible;
}

async function rewindTo(
  window: Window,
  to: number,
): Promise<{ readonly possible?: number; readonly nearest?: number }> {
  try {
    const plan = await window.plan({ command: "rewind", to });
    return plan.leave.length + plan.return.length > 0 ? { possible: to } : {};
  } catch (error) {
    if (!isRefused(error)) throw error;
    const nearest = error.refusals[0]?.nearest;
    return typeof nearest === "number" ? { nearest } : {};
  }
}
