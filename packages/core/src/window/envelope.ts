import { eventId } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { SCHEMA_VERSION } from "../events/schema.ts";
import type { EventToAppend } from "../log/port.ts";
import type { DecidedEvent } from "./decide.ts";

/** What all events of one append share. */
export interface AppendContext {
  readonly window: string;
  readonly commandId: string;
  readonly commandDigest: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Revision of the first event. */
  readonly first: number;
}

/** Gives decided events their ids, metadata and revisions. */
export function envelop(
  decided: readonly DecidedEvent[],
  { window, commandId, commandDigest, at, first }: AppendContext,
): (RecordedWindowEvent & EventToAppend)[] {
  return decided.map(({ by, via, type, data }, index) => ({
    id: eventId(window, by, commandId, index),
    type,
    data,
    metadata: {
      by,
      ...(via !== undefined && { via }),
      commandId,
      commandDigest,
      index,
      count: decided.length,
      at,
      schemaVersion: SCHEMA_VERSION,
    },
    revision: first + index,
  })) as (RecordedWindowEvent & EventToAppend)[];
}
