import type { Json } from "@palimpsest/core";
import { parseRendering } from "@palimpsest/core";
import type { Span, WindowState } from "@palimpsest/core/state";
import { effectOf } from "@palimpsest/core/state";
import { renderWindow } from "@palimpsest/core/view";
import type { Reference, RefMark } from "./reference.ts";
import { marksOf } from "./reference.ts";
import type { RefGap } from "./views.ts";
import { effectOfEdit, gapsOf, liveIds, outOfView, tokensOfWindow } from "./views.ts";

/* Where the library's state and the reference fold must say the same. */

const questions = {
  marks: ({ state, reference }) => [marksIn(state), [...marksOf(reference)]],
  order: ({ rendering, reference }) => [
    rendering.spans.map(({ spanId }) => spanId),
    liveIds(reference),
  ],
  gaps: ({ rendering, reference }) => [rendering.gaps, gapsOf(reference).map(gapLine)],
  positions: ({ state, reference }) => [
    [...state.spans].map(({ id, position }) => [id, position]),
    [...reference.spans.values()].map(({ id, position }) => [id, position]),
  ],
  effects: ({ state, reference }) => [
    [...state.edits].map((edit) => [edit.id, edit.ordinal, effectOf(state, edit)]),
    reference.edits.map((edit) => [edit.id, edit.ordinal, effectOfEdit(reference, edit)]),
  ],
  tokens: ({ state, reference }) => [state.liveTokens, tokensOfWindow(reference)],
  "live-count": ({ state, reference }) => [state.liveCount, liveIds(reference).length],
  "out-of-view": ({ state, rendering, reference }) => [
    [state.outOfView, rendering.ledger.outOfView],
    [outOfView(reference), outOfView(reference)],
  ],
  counts: ({ rendering: { ledger }, reference }) => [
    [ledger.edits, ledger.records],
    [reference.edits.length, reference.records],
  ],
  boundaries: ({ state, reference }) => [[...state.boundaries], reference.boundaries],
} as const satisfies Record<string, (both: Both) => readonly [unknown, unknown]>;

export type Question = keyof typeof questions;
export const questionNames = Object.keys(questions) as readonly Question[];

interface Both {
  readonly state: WindowState;
  readonly reference: Reference;
  /** The library's rendering of `state`, read back. */
  readonly rendering: ReturnType<typeof parseRendering>;
}

export interface Disagreement {
  readonly question: Question;
  readonly library: unknown;
  readonly reference: unknown;
}

/** Asks both folds the same questions; what they answer differently. */
export function disagreements(
  state: WindowState,
  reference: Reference,
  contentOf: (span: Span) => Json,
  without: readonly Question[] = [],
): Disagreement[] {
  const rendering = parseRendering(renderWindow(state, contentOf));
  return questionNames
    .filter((question) => !without.includes(question))
    .flatMap((question) => {
      const [library, expected] = questions[question]({ state, reference, rendering });
      if (JSON.stringify(library) === JSON.stringify(expected)) return [];
      return [{ question, library, reference: expected }];
    });
}

function marksIn(state: WindowState): [string, RefMark][] {
  return [...state.spans].map(({ id, index }) => {
    const mark = state.marks.get(index) ?? -1;
    return [id, mark === 0 ? "live" : mark < 0 ? "absent" : mark];
  });
}

/** A gap as its line in the rendering says it; the line names at most 16 edits. */
function gapLine({ after, spans, edits }: RefGap) {
  return { after, spans: spans.length, edits: edits.length, named: edits.slice(0, 16) };
}

/**
 * A state as plain JSON, to compare two of them as a whole: the table of slots by who stands in
 * it, everything else as it is.
 */
export function plainState(state: WindowState): unknown {
  const slots = [...state.slots.occupants()];
  return JSON.parse(JSON.stringify({ ...state, slots }));
}
