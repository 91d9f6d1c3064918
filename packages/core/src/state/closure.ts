import type { EventMetadata, WindowEventOf } from "../events/schema.ts";
import type { WindowState } from "./state.ts";
import { findSpan } from "./state.ts";

type Edited = WindowEventOf<"WindowEdited">["data"];

/** An edit at its place: where it stands, and in which append. */
interface EditPlace {
  readonly data: Edited;
  readonly revision: number;
  readonly metadata: Pick<EventMetadata, "commandId" | "index">;
}

/**
 * Whether an edit is closed (design §4): its recovery record stands directly before it in the same
 * append and is its own, by id and by ordinal; each entry names a span, once, that was born at its
 * revision with its digest; and where the verb takes spans, there is an entry. What is not closed
 * is in force all the same, but nobody can say what it took, so nothing is taken back through it.
 */
export function isClosed(state: WindowState, { data, revision, metadata }: EditPlace): boolean {
  const record = state.openRecord;
  if (record === undefined || record.revision !== revision - 1) return false;
  if (metadata.index === 0 || record.commandId !== metadata.commandId) return false;
  if (record.editId !== data.editId || record.ordinal !== data.ordinal) return false;
  if (data.ordinal !== state.edits.size + 1 || state.editOrdinal.has(data.editId)) return false;
  const takes = data.verb === "rewrite" || data.verb === "evict";
  if (takes && record.consumed.length === 0) return false;
  const named = new Set(record.consumed.map(({ spanId }) => spanId));
  if (named.size !== record.consumed.length) return false;
  return record.consumed.every((entry) => {
    const span = findSpan(state, entry.spanId);
    return span?.revision === entry.revision && span.digest === entry.digest;
  });
}
