import type { RecordedWindowEvent, WindowEventOf } from "@palimpsest/core/events";
import { metadataSchema, windowEventSchemas } from "@palimpsest/core/events";
import type { RefEdit, Reference } from "./reference.ts";
import { emptyReference, foldNext } from "./reference.ts";

/** An event as it was found: readable, or not and why. */
export type Entry =
  | { readonly event: RecordedWindowEvent; readonly problem?: never }
  | { readonly event?: never; readonly problem: string };

/** A history and the reference state before each event and after the last. */
export interface Walk {
  readonly entries: readonly Entry[];
  /** `states[r]` is the state before event r; one more than there are events. */
  readonly states: readonly Reference[];
}

export const emptyWalk: Walk = { entries: [], states: [emptyReference] };

/** The walk with more events at its end. Total: an event may be anything. */
export function walkOn(walk: Walk, events: readonly unknown[]): Walk {
  const entries = [...walk.entries];
  const states = [...walk.states];
  for (const raw of events) {
    const entry = readEvent(raw);
    entries.push(entry);
    states.push(foldNext(states.at(-1) ?? emptyReference, entry.event));
  }
  return { entries, states };
}

export function walkOf(events: readonly unknown[]): Walk {
  return walkOn(emptyWalk, events);
}

/** The state after the last event. */
export function headOf(walk: Walk): Reference {
  return walk.states.at(-1) ?? emptyReference;
}

function readEvent(raw: unknown): Entry {
  if (typeof raw !== "object" || raw === null) return { problem: "it is not an object" };
  const { type, data, metadata, id, revision } = raw as Partial<RecordedWindowEvent>;
  if (typeof type !== "string" || !Object.hasOwn(windowEventSchemas, type)) {
    return { problem: `its type is ${JSON.stringify(type)}` };
  }
  if (typeof id !== "string" || typeof revision !== "number") {
    return { problem: "it has no id or no revision" };
  }
  const meta = metadataSchema.safeParse(metadata);
  if (!meta.success) return { problem: `metadata: ${meta.error.message}` };
  const parsed = windowEventSchemas[type].safeParse(data);
  if (!parsed.success) return { problem: `data: ${parsed.error.message}` };
  return { event: raw as RecordedWindowEvent };
}

/** One event in its history: what a rule looks at. */
export interface Place {
  readonly walk: Walk;
  readonly revision: number;
  readonly event: RecordedWindowEvent;
  readonly before: Reference;
  readonly after: Reference;
}

export function placeAt(walk: Walk, revision: number): Place | undefined {
  const event = walk.entries[revision]?.event;
  const before = walk.states[revision];
  const after = walk.states[revision + 1];
  if (event === undefined || before === undefined || after === undefined) return undefined;
  return { walk, revision, event, before, after };
}

export function eventAt({ walk }: Place, revision: number): RecordedWindowEvent | undefined {
  return walk.entries[revision]?.event;
}

export function isBoundary({ event: { metadata } }: Place): boolean {
  return metadata.index === metadata.count - 1;
}

/** An edit with what was written for it and what it did. */
export interface EditPlace extends Place {
  readonly data: WindowEventOf<"WindowEdited">["data"];
  readonly edit: RefEdit;
  /** The record directly before it, if there is one. */
  readonly record?: WindowEventOf<"RecoveryRecorded">["data"];
}

export function editPlace(place: Place): EditPlace | undefined {
  const { event, after, before } = place;
  const edit = after.edits.at(-1);
  if (event.type !== "WindowEdited" || edit === undefined) return undefined;
  const { record } = before;
  return { ...place, data: event.data, edit, ...(record !== undefined && { record }) };
}

/** The spans that were live and are not any more. */
export function leavingAt({ before, after }: Place): string[] {
  const then = before.tables.at(-1);
  const now = after.tables.at(-1);
  return [...(then ?? [])]
    .filter(([id, mark]) => mark === "live" && now?.get(id) !== "live")
    .map(([id]) => id);
}
