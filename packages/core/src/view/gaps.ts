import { editAt, markOf } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";

/** A stretch of evicted spans between two live ones. */
export interface Gap {
  /** The live span before it; null at the start of the window. */
  readonly after: string | null;
  /** Ids of the evicted spans, in order of position. */
  readonly spans: readonly string[];
  /** Ids of the edits that took them, oldest first: the pointers for undo. */
  readonly edits: readonly string[];
}

export type WindowItem =
  | { readonly kind: "span"; readonly span: Span }
  | { readonly kind: "gap"; readonly gap: Gap };

/**
 * The window in order: live spans and the gaps between them. A gap stands where spans were
 * evicted; a rewrite leaves none, its product says what it covers, and absent spans leave none.
 */
export function* windowItems(state: WindowState): Generator<WindowItem> {
  let after: string | null = null;
  let evicted: Span[] = [];
  for (const occupant of state.slots.occupants()) {
    const span = spanAt(state, occupant.span);
    if (!occupant.live) {
      evicted.push(span);
      continue;
    }
    if (evicted.length > 0) yield { kind: "gap", gap: gapOf(state, after, evicted) };
    evicted = [];
    after = span.id;
    yield { kind: "span", span };
  }
  if (evicted.length > 0) yield { kind: "gap", gap: gapOf(state, after, evicted) };
}

function gapOf(state: WindowState, after: string | null, evicted: readonly Span[]): Gap {
  const ordinals = new Set(evicted.map((span) => markOf(state, span.index)));
  return {
    after,
    spans: evicted.map((span) => span.id),
    edits: [...ordinals].sort((a, b) => a - b).map((ordinal) => editAt(state, ordinal).id),
  };
}

/** Ids of the spans that a rewrite's product stands for, in order of position. */
export function coveredBy(state: WindowState, span: Span): string[] | undefined {
  if (span.createdBy === undefined) return undefined;
  return editAt(state, span.createdBy)
    .writes.filter(({ span: index }) => index !== span.index)
    .map(({ span: index }) => spanAt(state, index).id);
}
