import type { Json } from "../json/json.ts";
import type { StoredEvent } from "../log/port.ts";
import type { RecordedWindowEvent } from "./schema.ts";
import { SCHEMA_VERSION, windowEventSchemas } from "./schema.ts";

/** Turns the data of one version into that of the next. Pure; never sees a digest or a proof. */
export type Upcaster = (data: Json) => Json;

/** By event type, then by the version it reads; the result is of the version after. */
export type UpcasterTable = Readonly<Record<string, Readonly<Record<number, Upcaster>>>>;

/** An event that this version of the library cannot fold; the projection stops here. */
export class EventNotUnderstoodError extends Error {
  override readonly name = "EventNotUnderstoodError";
  /** Name of the stream that holds the event. */
  readonly stream: string;
  /** Place of the event in its stream. */
  readonly revision: number;
  /** UUID of the event. */
  readonly eventId: string;
  constructor(event: StoredEvent, problem: string) {
    super(
      `event ${event.id} at revision ${event.revision} of ${JSON.stringify(event.stream)}: ` +
        problem,
    );
    this.stream = event.stream;
    this.revision = event.revision;
    this.eventId = event.id;
  }
}

/**
 * The upcasters of the storage format. Version 1 is the first, so there is none yet; the frozen
 * events under test/golden/ are read through this table in every version to come.
 */
export const windowUpcasters: UpcasterTable = {};

/** Brings stored events to the current version; `table` and `current` are open for tests. */
export function upcastWith(
  table: UpcasterTable,
  current: number,
  event: StoredEvent,
): RecordedWindowEvent {
  if (event.undecodable !== undefined) throw new EventNotUnderstoodError(event, "it is not JSON");
  if (!Object.hasOwn(windowEventSchemas, event.type)) {
    throw new EventNotUnderstoodError(event, `unknown type ${JSON.stringify(event.type)}`);
  }
  const version = schemaVersionOf(event);
  if (version === current) return event as StoredEvent & RecordedWindowEvent;
  if (version > current) {
    throw new EventNotUnderstoodError(event, `schema version ${version}, newer than ${current}`);
  }
  const steps = Object.hasOwn(table, event.type) ? table[event.type] : undefined;
  let data = event.data;
  for (let from = version; from < current; from += 1) data = steps?.[from]?.(data) ?? data;
  return { ...event, data } as StoredEvent & RecordedWindowEvent;
}

/**
 * A stored event of a window stream in the current version. No validation: that is done before
 * the append and, independently, by the verifier; a replay must not pay for it again.
 */
export function upcast(event: StoredEvent): RecordedWindowEvent {
  return upcastWith(windowUpcasters, SCHEMA_VERSION, event);
}

function schemaVersionOf(event: StoredEvent): number {
  const metadata = event.metadata;
  const version =
    typeof metadata === "object" && metadata !== null && "schemaVersion" in metadata
      ? metadata.schemaVersion
      : undefined;
  if (typeof version === "number" && Number.isInteger(version) && version > 0) return version;
  throw new EventNotUnderstoodError(event, "its metadata has no schema version");
}
