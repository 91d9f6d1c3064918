import type { Json, StoredEvent } from "@palimpsest/core";
import { canonicalJson, eventId } from "@palimpsest/core";
import type { EventMetadata } from "@palimpsest/core/events";
import { sha256 } from "../sha256.ts";
import { dataOf, WINDOW } from "./store.ts";

/*
 * DELIBERATE DAMAGE, by somebody who knows the format: whatever is not the point of the damage is
 * made true again afterwards. Nothing outside the verifier's tests may use it.
 */

export type Events = readonly StoredEvent[];
type Data = Readonly<Record<string, Json | undefined>>;

/** Changes fields of the data of one event; `undefined` takes a field away. */
export function withData(events: Events, at: number, fields: Data): Events {
  return withEvent(events, at, (event) => ({ data: changed(dataOf(event), fields) }));
}

export function withMetadata(events: Events, at: number, fields: Data): Events {
  return withEvent(events, at, ({ metadata }) => ({
    metadata: changed(metadata as Record<string, Json>, fields),
  }));
}

export function withEvent(
  events: Events,
  at: number,
  change: (event: StoredEvent) => Partial<StoredEvent>,
): Events {
  return events.map((event, i) => (i === at ? { ...event, ...change(event) } : event));
}

function changed(data: Readonly<Record<string, Json>>, fields: Data): Json {
  return Object.fromEntries(
    Object.entries({ ...data, ...fields }).filter(([, value]) => value !== undefined),
  ) as Json;
}

export function without(events: Events, ...at: readonly number[]): Events {
  return events.filter((_, i) => !at.includes(i));
}

/** One event to forge. */
export interface Forged {
  readonly type: string;
  readonly data: Data;
  readonly by?: string;
  readonly via?: string;
}

/** One more append at the end, as the library would have written it. */
export function withAppend(events: Events, ...forged: readonly Forged[]): Events {
  return resealed([...events, ...appendOf(events, `forged-${events.length}`, forged)]);
}

/** An append between two others; everything behind it moves on. */
export function withAppendAt(events: Events, at: number, ...forged: readonly Forged[]): Events {
  const append = appendOf(events, `forged-${events.length}`, forged);
  return resealed([...events.slice(0, at), ...append, ...events.slice(at)]);
}

function appendOf(events: Events, commandId: string, forged: readonly Forged[]): StoredEvent[] {
  const template = events.at(-1) as StoredEvent;
  const { via: _, ...metadata } = template.metadata as unknown as EventMetadata;
  return forged.map(({ type, data, by = "host/h", via }) => ({
    ...template,
    revision: -1,
    type,
    data: changed({}, data),
    metadata: { ...metadata, by, commandId, ...(via !== undefined && { via }) } as unknown as Json,
  }));
}

/**
 * Makes everything true again that hangs on the order of events: revisions, whatever points at
 * one, places in appends, ids.
 */
export function resealed(events: Events): Events {
  const moved = new Map(events.map(({ revision }, i) => [revision, i]));
  let start = 0;
  return events.map((event, revision) => {
    const metadata = event.metadata as unknown as EventMetadata;
    const { commandId, by } = metadata;
    const isSame = (other: StoredEvent | undefined): boolean =>
      (other?.metadata as EventMetadata | undefined)?.commandId === commandId;
    if (!isSame(events[revision - 1])) start = revision;
    let end = revision;
    while (isSame(events[end + 1])) end += 1;
    const index = revision - start;
    return {
      ...event,
      revision,
      id: eventId(WINDOW, by, commandId, index),
      data: moveReferences(event, moved),
      metadata: { ...metadata, index, count: end - start + 1 } as unknown as Json,
    };
  });
}

function moveReferences({ type, data, revision }: StoredEvent, moved: ReadonlyMap<number, number>) {
  if (revision < 0) return data;
  const at = (value: Json | undefined): Json =>
    typeof value === "number" ? (moved.get(value) ?? value) : (value ?? null);
  const fields = data as Readonly<Record<string, Json>>;
  switch (type) {
    case "RecoveryRecorded": {
      const consumed = fields.consumed as readonly { revision: number }[];
      const entries = consumed.map((entry) => ({ ...entry, revision: at(entry.revision) }));
      return { ...fields, consumed: entries };
    }
    case "WindowEdited":
      return fields.to === undefined ? data : { ...fields, to: at(fields.to) };
    case "WindowRendered":
      return { ...fields, at: at(fields.at), firstChanged: at(fields.firstChanged) };
    case "PruningProposed":
      return { ...fields, baseRevision: at(fields.baseRevision) };
    default:
      return data;
  }
}

/** A record and its edit with the next ordinal, taking these spans. */
export function edit(
  events: Events,
  data: Data & { readonly verb: string },
  spans: readonly string[],
  by: Pick<Forged, "by" | "via"> = {},
): [record: Forged, edit: Forged] {
  const edits = events.filter(({ type }) => type === "WindowEdited");
  const ordinal = edits.length + 1;
  const editId = (data.editId as string | undefined) ?? "forged";
  const consumed = spans.map((spanId) => entryOf(events, spanId));
  return [
    { type: "RecoveryRecorded", data: { editId, ordinal, consumed }, ...by },
    { type: "WindowEdited", data: { ordinal, ...data, editId }, ...by },
  ];
}

/** A new span as the library would create it. */
export function product(spanId: string, content: Json, more: Data = {}) {
  return { spanId, kind: "text", origin: "host", content, ...measured(content), ...more } as Json;
}

export function measured(content: Json): { readonly tokens: number; readonly digest: string } {
  const text = typeof content === "string" ? content : canonicalJson(content);
  return { tokens: Math.ceil(Buffer.byteLength(text) / 4), digest: sha256(text) };
}

export function admit(spanId: string, more: Data = {}): Forged {
  const content = (more.content as Json | undefined) ?? `content of ${spanId}`;
  const fixed = { spanId, origin: "user", kind: "text", content, ...measured(content) };
  return { type: "SpanAdmitted", data: { ...fixed, ...more } };
}

/** What a true record says of a span. */
export function entryOf(events: Events, spanId: string) {
  const at = birthOf(events, spanId);
  const born = bornAt(events[at]);
  return { spanId, revision: at, digest: born?.digest as string };
}

/** Revision at which a span was born. */
export function birthOf(events: Events, spanId: string): number {
  const at = events.findIndex((event) => bornAt(event)?.spanId === spanId);
  if (at < 0) throw new Error(`no span ${spanId}`);
  return at;
}

/** Revision of the edit event of an edit. */
export function editAt(events: Events, editId: string): number {
  const at = events.findIndex(
    (event) => event.type === "WindowEdited" && dataOf(event).editId === editId,
  );
  if (at < 0) throw new Error(`no edit ${editId}`);
  return at;
}

/** Revision of the last event of a type. */
export function lastOf(events: Events, type: string): number {
  const at = events.findLastIndex((event) => event.type === type);
  if (at < 0) throw new Error(`no ${type}`);
  return at;
}

function bornAt(event: StoredEvent | undefined): Readonly<Record<string, Json>> | undefined {
  const data = dataOf(event);
  if (event?.type === "SpanAdmitted") return data;
  return data.creates as Readonly<Record<string, Json>> | undefined;
}
