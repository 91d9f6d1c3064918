import type { EventMetadata } from "@palimpsest/core/events";
import type { Edits } from "./edits.ts";
import type { EditPlan } from "./plan.ts";
import type { Spans } from "./spans.ts";
import { NONE } from "./spans.ts";

/** What of the fold it takes to tell whether an edit is closed. */
interface Recorded {
  readonly spans: Spans;
  readonly edits: Edits;
  readonly recordCommandId: string;
}

/**
 * Whether an edit has a record that lets it be taken back (design §4), on the state before it. The
 * rules of the records say what is wrong with each; this only counts for the alarm that a rendering
 * shows.
 */
export function isClosed(
  { spans, edits, recordCommandId }: Recorded,
  { data, record }: EditPlan,
  { index, commandId }: Pick<EventMetadata, "index" | "commandId">,
): boolean {
  if (record === undefined || index === 0 || recordCommandId !== commandId) return false;
  if (record.editId !== data.editId || record.ordinal !== data.ordinal) return false;
  if (data.ordinal !== edits.size + 1 || edits.find(data.editId) > 0) return false;
  const mustTake = data.verb === "evict" || data.verb === "rewrite";
  if (mustTake && record.consumed.length === 0) return false;
  const seen = new Set<number>();
  for (const { spanId, revision, digest } of record.consumed) {
    const span = spans.find(spanId);
    if (span === NONE || seen.has(span)) return false;
    seen.add(span);
    if (spans.revision(span) !== revision || !spans.hasDigest(span, digest)) return false;
  }
  return true;
}
