import type { Span, WindowState } from "@palimpsest/core/state";
import { editAt, LIVE, markOf, spanAt } from "@palimpsest/core/state";

/**
 * What became of a window between two of its revisions: the net difference of the live spans,
 * whatever lies between. Spans are named by id, in order of position.
 */
export interface WindowChanges {
  /** The earlier revision; −1: from nothing. */
  readonly since: number;
  /** Live now, and born since. */
  readonly entered: readonly string[];
  /** Live then, and not now. */
  readonly left: readonly string[];
  /** Born before, not live then, live now. */
  readonly returned: readonly string[];
  /** Number of spans born since that are not live now: they came and went. */
  readonly passed: number;
  /**
   * Least position whose span was born, or whose mark was written, since: where a provider's prompt
   * cache breaks. Null: none.
   */
  readonly firstChanged: number | null;
}

/**
 * The changes from one state of a window to a later one, read off the edits between them. Costs as
 * much as happened between, not as much as the window holds; nothing has to be queued for it.
 */
export function changesBetween(before: WindowState, after: WindowState): WindowChanges {
  const left: Span[] = [];
  const returned: Span[] = [];
  let firstChanged: number | null = null;
  const touch = ({ position }: Span): void => {
    firstChanged = firstChanged === null ? position : Math.min(firstChanged, position);
  };
  const seen = new Set<number>();
  for (let ordinal = before.edits.size + 1; ordinal <= after.edits.size; ordinal += 1) {
    for (const { span: index } of editAt(after, ordinal).writes) {
      if (seen.has(index)) continue;
      seen.add(index);
      const span = spanAt(after, index);
      touch(span);
      if (index >= before.spans.size) continue;
      const [was, is] = [markOf(before, index) === LIVE, markOf(after, index) === LIVE];
      if (was && !is) left.push(span);
      if (is && !was) returned.push(span);
    }
  }
  const entered: Span[] = [];
  for (let index = before.spans.size; index < after.spans.size; index += 1) {
    const span = spanAt(after, index);
    touch(span);
    if (markOf(after, index) === LIVE) entered.push(span);
  }
  return {
    since: before.revision,
    entered: idsOf(entered),
    left: idsOf(left),
    returned: idsOf(returned),
    passed: after.spans.size - before.spans.size - entered.length,
    firstChanged,
  };
}

/** The changes of going back over `changes`: what came goes, and what left comes back. */
export function reversed(changes: WindowChanges, from: WindowState): WindowChanges {
  const position = (id: string): number => spanAt(from, from.spans.indexOf(id) ?? -1).position;
  const { entered, left, returned, firstChanged } = changes;
  return {
    since: from.revision,
    entered: [],
    left: [...entered, ...returned].sort((a, b) => position(a) - position(b)),
    returned: left,
    passed: 0,
    firstChanged,
  };
}

function idsOf(spans: Span[]): string[] {
  return spans.sort((a, b) => a.position - b.position).map(({ id }) => id);
}
