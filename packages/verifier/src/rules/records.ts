import { leavingSpans } from "../fold/plan.ts";
import { NONE } from "../fold/spans.ts";
import type { EventRule, Place } from "./rule.ts";
import { listed } from "./rule.ts";

/* Design §9, Records: a bijection with edits, and what they name is there. */

const family = "records";

export const recordRules: readonly EventRule[] = [
  {
    code: "record-missing",
    family,
    proves: "Every edit has a recovery record directly before it in its append.",
    on: ["WindowEdited"],
    check: ({ plan, event, previous }) =>
      plan?.record === undefined || !isSameAppend(previous, event)
        ? `edit ${plan?.data.editId} has no recovery record directly before it in its append`
        : undefined,
  },
  {
    code: "record-of-another",
    family,
    proves: "The record before an edit is that edit's own, by id and by ordinal.",
    on: ["WindowEdited"],
    check: ({ plan }) => {
      const { record, data } = plan ?? {};
      if (record === undefined || data === undefined) return undefined;
      if (record.editId === data.editId && record.ordinal === data.ordinal) return undefined;
      return (
        `the record before edit ${data.editId} (ordinal ${data.ordinal}) is that of ` +
        `${record.editId} (ordinal ${record.ordinal})`
      );
    },
  },
  {
    code: "edit-id-twice",
    family,
    proves: "No two edits have the same id, so records and edits match one to one.",
    on: ["WindowEdited"],
    check: ({ event, fold }) =>
      event.type === "WindowEdited" && fold.edits.find(event.data.editId) > 0
        ? `edit ${event.data.editId} was made before`
        : undefined,
  },
  {
    code: "ordinal",
    family,
    proves: "Edits are numbered 1, 2, 3 … without a gap.",
    on: ["WindowEdited"],
    check: ({ event, fold }) => {
      if (event.type !== "WindowEdited") return undefined;
      const expected = fold.edits.size + 1;
      return event.data.ordinal === expected
        ? undefined
        : `edit ${event.data.editId} has ordinal ${event.data.ordinal}, not ${expected}`;
    },
  },
  {
    code: "record-span",
    family,
    proves: "A record names spans of this window, each once.",
    on: ["RecoveryRecorded"],
    check: (place) => {
      const ids = entriesOf(place).map(({ spanId }) => spanId);
      const unknown = ids.find((id) => place.fold.spans.find(id) === NONE);
      if (unknown !== undefined) return `the record names ${unknown}, which was never born`;
      const twice = new Set(ids).size === ids.length ? undefined : "the record names a span twice";
      return twice;
    },
  },
  {
    code: "record-revision",
    family,
    proves: "Each revision in a record is where its span was born.",
    on: ["RecoveryRecorded"],
    check: (place) => {
      const { spans } = place.fold;
      const wrong = entriesOf(place).find(({ spanId, revision }) => {
        const span = spans.find(spanId);
        return span !== NONE && spans.revision(span) !== revision;
      });
      if (wrong === undefined) return undefined;
      return `${wrong.spanId} was not born at ${wrong.revision}, as the record says`;
    },
  },
  {
    code: "record-digest",
    family,
    proves: "Each digest in a record is that of its span's content.",
    on: ["RecoveryRecorded"],
    check: (place) => {
      const { spans } = place.fold;
      const wrong = entriesOf(place).find(({ spanId, digest }) => {
        const span = spans.find(spanId);
        return span !== NONE && !spans.hasDigest(span, digest);
      });
      if (wrong === undefined) return undefined;
      return `the record's digest of ${wrong.spanId} is not that of its content`;
    },
  },
  {
    code: "record-names",
    family,
    proves: "The record of an undo, redo or rewind names exactly the live spans that leave.",
    on: ["WindowEdited"],
    check: ({ plan, fold }) => {
      const { record, data } = plan ?? {};
      if (plan === undefined || record?.editId !== data?.editId) return undefined;
      if (data?.verb === "rewrite" || data?.verb === "evict") return undefined;
      const named = new Set(record?.consumed.map(({ spanId }) => spanId));
      const left = leavingSpans(plan).map((span) => fold.spans.id(span));
      const missing = left.filter((id) => !named.has(id));
      const extra = [...named].filter((id) => !left.includes(id));
      if (missing.length === 0 && extra.length === 0) return undefined;
      return (
        `edit ${data?.editId} takes spans out of view that its record does not name ` +
        `(${listed(missing)}), or its record names others (${listed(extra)})`
      );
    },
  },
];

/** A record that no edit follows is found one event later, or at the end of the stream. */
export const recordOrphan = {
  code: "record-orphan",
  family,
  proves: "Every recovery record is followed directly by an edit in its append.",
} as const;

export function isSameAppend(
  previous: Place["previous"],
  event: NonNullable<Place["previous"]>,
): boolean {
  return (
    previous !== undefined &&
    event.metadata.index > 0 &&
    previous.metadata.commandId === event.metadata.commandId
  );
}

function entriesOf({ event }: Place) {
  return event.type === "RecoveryRecorded" ? event.data.consumed : [];
}
