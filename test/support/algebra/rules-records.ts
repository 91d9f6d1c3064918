import type { RefSpan } from "./reference.ts";
import type { Rules } from "./rule.ts";
import type { EditPlace, Place } from "./walk.ts";
import { editPlace, eventAt, leavingAt } from "./walk.ts";

/* Design §1 and §9: without its record an edit takes nothing, and the record names it all. */

export const recordRules = {
  /** Directly before its edit, in one append, with its id and ordinal. */
  "record-first": onEdit(({ data, event, record }) => {
    if (record === undefined || event.metadata.index === 0) {
      return [`edit ${data.editId} has no record directly before it in its append`];
    }
    return record.editId === data.editId && record.ordinal === data.ordinal
      ? []
      : [`the record before edit ${data.editId} is that of ${record.editId}`];
  }),

  /** A record belongs to an edit. */
  "record-alone": (place) => {
    if (place.event.type !== "RecoveryRecorded") return [];
    const next = eventAt(place, place.revision + 1);
    return next?.type === "WindowEdited" && next.metadata.index === place.event.metadata.index + 1
      ? []
      : [`no edit follows the record of ${place.event.data.editId}`];
  },

  /** 1..n without gap. */
  ordinals: onEdit(({ data, before }) =>
    data.ordinal === before.edits.length + 1
      ? []
      : [`edit ${data.editId} has ordinal ${data.ordinal} after ${before.edits.length} edits`],
  ),

  /** `revision` leads to the event where the span was born. */
  "record-born": (place) =>
    entriesOf(place).flatMap(({ spanId, revision, span }) =>
      span?.revision === revision ? [] : [`${spanId} was not born at revision ${revision}`],
    ),

  /** `digest` is that of the span's content. */
  "record-digest": (place) =>
    entriesOf(place).flatMap(({ spanId, digest, span }) =>
      span?.digest === digest ? [] : [`${spanId} has another digest than its record says`],
    ),

  /** For undo, redo and rewind the record names the live spans that leave. */
  "record-names": onEdit((place) => {
    const { record, data } = place;
    if (record === undefined || data.verb === "rewrite" || data.verb === "evict") return [];
    const named = record.consumed.map(({ spanId }) => spanId).sort();
    const left = leavingAt(place).sort();
    return named.join() === left.join()
      ? []
      : [`the record names ${named.join() || "none"}; ${left.join() || "none"} left`];
  }),

  "edit-id-twice": onEdit(({ data, before }) =>
    before.edits.some(({ id }) => id === data.editId) ? [`edit ${data.editId} exists`] : [],
  ),
} as const satisfies Rules;

/** A rule about edits. */
export function onEdit(rule: (place: EditPlace) => readonly string[]) {
  return (place: Place): readonly string[] => {
    const edited = editPlace(place);
    return edited === undefined ? [] : rule(edited);
  };
}

interface RecordEntry {
  readonly spanId: string;
  readonly revision: number;
  readonly digest: string;
  readonly span: RefSpan | undefined;
}

function entriesOf({ event, before }: Place): RecordEntry[] {
  if (event.type !== "RecoveryRecorded") return [];
  return event.data.consumed.map((entry) => ({ ...entry, span: before.spans.get(entry.spanId) }));
}
