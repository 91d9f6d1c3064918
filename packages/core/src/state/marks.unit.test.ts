import { List, Map as PersistentMap } from "immutable";
import { expect, it } from "vitest";
import type { Edit, MarkState } from "./marks.ts";
import { ABSENT, effectOf } from "./marks.ts";

/** Rewrites of which each merges in the reversal of the one before; the last product is live. */
function mergesOfMerges(count: number): MarkState {
  const edits: Edit[] = [];
  const marks: number[] = [];
  const merges = new Map<number, readonly number[]>();
  for (let ordinal = 1; ordinal <= count; ordinal += 1) {
    const [input, product] = [marks.length, marks.length + 1];
    marks.push(ordinal, ordinal === count ? 0 : ABSENT);
    const writes = [
      { span: input, before: 0, after: ordinal },
      { span: product, before: ABSENT, after: 0 },
    ];
    const mergeOf = ordinal === 1 ? {} : { mergeOf: ordinal - 1 };
    edits.push({
      id: `e${ordinal}`,
      ordinal,
      verb: "rewrite",
      closed: true,
      revision: 2 * ordinal,
      writes,
      product,
      ...mergeOf,
    });
    if (ordinal < count) merges.set(ordinal, [ordinal + 1]);
  }
  return { marks: List(marks), edits: List(edits), merges: PersistentMap(merges) };
}

it.each([
  [20_000, "merged"],
  [20_001, "stale"],
])("of %i merges of merges the first is %s, with no call for each", (count, effect) => {
  const state = mergesOfMerges(count);
  const [first, last] = [state.edits.get(0), state.edits.get(count - 1)];
  expect(first && effectOf(state, first)).toBe(effect);
  expect(last && effectOf(state, last)).toBe("applied");
});
