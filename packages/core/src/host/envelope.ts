import type { DecidedEvent } from "../decide/decide.ts";
import { eventIds } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { SCHEMA_VERSION } from "../events/schema.ts";
import type { EventToAppend } from "../log/port.ts";

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
  const count = decided.length;
  const ids = new Map<string, (index: number) => string>();
  const shared = { commandId, commandDigest, count, at, schemaVersion: SCHEMA_VERSION };
  return decided.map(({ by, via, type, data }, index) => {
    const idOf = ids.get(by) ?? eventIds(window, by, commandId);
    ids.set(by, idOf);
    const metadata = via === undefined ? { by, index, ...shared } : { by, via, index, ...shared };
    return { id: idOf(index), type, data, metadata, revision: first + index };
  }) as (RecordedWindowEvent & EventToAppend)[];
}
