import type { Draft } from "./draft.ts";

/**
 * Notes that a span was read: marked so, recalled, cited by a claim, or admitted again from the
 * same source. What a policy sees as `reads` and `idle`.
 */
export function countRead(draft: Draft, spanId: string): void {
  const index = draft.spans.indexOf(spanId);
  if (index === undefined) return;
  const count = (draft.reads.get(index)?.count ?? 0) + 1;
  draft.reads = draft.reads.set(index, { count, last: draft.messageCount });
}
