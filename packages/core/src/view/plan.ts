import type { Plan } from "../commands/plan.ts";
import type { Edit } from "../state/marks.ts";
import { editAt, LIVE, markOf } from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { windowTokens } from "./tokens.ts";

/**
 * Compares two states of one window, the later one not yet appended. `target`: the edit that is
 * to be undone, which tells wanted spans from collateral ones.
 */
export function planOf(
  before: WindowState,
  after: WindowState,
  tokenizer: Tokenizer,
  target?: Edit,
): Plan {
  const touched = new Set<number>();
  const order: string[] = [];
  for (let ordinal = before.edits.size + 1; ordinal <= after.edits.size; ordinal += 1) {
    const edit = editAt(after, ordinal);
    order.push(edit.target === undefined ? edit.id : editAt(after, edit.target).id);
    for (const { span } of edit.writes) touched.add(span);
  }
  const leaving = [...touched].filter((i) => wasLive(before, i) && markOf(after, i) !== LIVE);
  const returning = [...touched].filter((i) => !wasLive(before, i) && markOf(after, i) === LIVE);
  const asked = new Set(target?.writes.map(({ span }) => span));
  const ids = (indices: readonly number[]) =>
    indices
      .map((i) => spanAt(after, i))
      .sort((a, b) => a.position - b.position)
      .map((span) => span.id);
  return {
    order,
    leave: ids(leaving),
    return: ids(returning),
    tokens: {
      before: windowTokens(before, tokenizer).tokens,
      after: windowTokens(after, tokenizer).tokens,
    },
    collateral: target === undefined ? [] : ids(returning.filter((i) => !asked.has(i))),
  };
}

function wasLive(state: WindowState, index: number): boolean {
  return index < state.spans.size && markOf(state, index) === LIVE;
}
