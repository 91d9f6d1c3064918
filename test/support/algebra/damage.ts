import type { EventMetadata, RecordedWindowEvent, WindowEvent } from "@palimpsest/core/events";
import { eventId } from "@palimpsest/core/events";
import { WINDOW } from "./pure.ts";

/*
 * DELIBERATE DAMAGE. Everything here breaks valid histories, so that the tests can show that the
 * checks notice. Nothing outside the tests of the checks may use it.
 */

/** An event whose parts may be anything. */
export interface Damaged {
  readonly id: string;
  readonly revision: number;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly metadata: EventMetadata;
}

export type History = readonly RecordedWindowEvent[];

const anything = (event: RecordedWindowEvent): Damaged => event as unknown as Damaged;

/** Changes fields of the data of the events at `revisions`; `undefined` takes a field away. */
export function withData(
  events: History,
  revisions: readonly number[],
  fields: Readonly<Record<string, unknown>>,
): History {
  return withEvent(events, revisions, ({ data }) => ({
    data: Object.fromEntries(
      Object.entries({ ...data, ...fields }).filter(([, value]) => value !== undefined),
    ),
  }));
}

export function withMetadata(
  events: History,
  revisions: readonly number[],
  fields: Partial<EventMetadata>,
): History {
  return withEvent(events, revisions, ({ metadata }) => ({ metadata: { ...metadata, ...fields } }));
}

export function withEvent(
  events: History,
  revisions: readonly number[],
  change: (event: Damaged) => Partial<Damaged>,
): History {
  return events.map((event, revision) =>
    revisions.includes(revision)
      ? ({ ...event, ...change(anything(event)) } as unknown as RecordedWindowEvent)
      : event,
  );
}

/** Adds one append with these events at the end. */
export function withAppend(events: History, appended: readonly object[]): History {
  const commandId = `forged-${events.length}`;
  const metadata = { ...events.at(-1)?.metadata, by: "host/local", commandId };
  const list = appended.map((event) => ({ ...event, metadata }) as RecordedWindowEvent);
  return sealed([...events, ...list]);
}

/** A record and its edit, as a forger who knows the format would write them. */
export function recordAndEdit(
  events: History,
  edit: Omit<Extract<WindowEvent, { type: "WindowEdited" }>["data"], "ordinal">,
  spans: readonly string[],
): readonly object[] {
  const ordinal = events.filter(({ type }) => type === "WindowEdited").length + 1;
  const consumed = spans.map((spanId) => entryOf(events, spanId));
  return [
    { type: "RecoveryRecorded", data: { editId: edit.editId, ordinal, consumed } },
    { type: "WindowEdited", data: { ...edit, ordinal } },
  ];
}

/** What a true record says of a span. */
export function entryOf(events: History, spanId: string) {
  for (const { type, data, revision } of events) {
    const born =
      type === "SpanAdmitted" ? data : type === "WindowEdited" ? data.creates : undefined;
    if (born?.spanId === spanId) return { spanId, revision, digest: born.digest };
  }
  throw new Error(`no span ${spanId}`);
}

/** Makes everything true again that hangs on the order of events and on their commands. */
export function sealed(events: History): History {
  let start = 0;
  return events.map((event, revision) => {
    const { commandId, by } = event.metadata;
    if (events[revision - 1]?.metadata.commandId !== commandId) start = revision;
    const count = events.filter(({ metadata }) => metadata.commandId === commandId).length;
    const index = revision - start;
    const id = eventId(WINDOW, by, commandId, index);
    return { ...event, id, revision, metadata: { ...event.metadata, index, count } };
  });
}
