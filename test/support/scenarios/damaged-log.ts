import type { EventLog, Json, JsonObject, StoredEvent } from "@palimpsest/core";

/** A log whose store was damaged past this library: reads give back something else. */
export interface DamagedLog extends EventLog {
  /** From now on the store returns nothing for this revision. */
  lose(revision: number): void;
  /** From now on the store returns a changed event for this revision. */
  tamper(revision: number, change: (data: JsonObject) => Json): void;
  /** From now on the store returns another event for this revision. */
  replace(revision: number, change: (event: StoredEvent) => StoredEvent): void;
  /** The store is as it was before. */
  repair(): void;
}

/** Wraps a log; appends and heads go through, reads show the damage: of one stream, or of all. */
export function damagedLog(log: EventLog, damaged?: string): DamagedLog {
  const damage = new Map<number, (event: StoredEvent) => StoredEvent[]>();
  return {
    ...log,
    async *read(stream, options) {
      for await (const page of log.read(stream, options)) {
        if (damaged !== undefined && stream !== damaged) yield page;
        else yield page.flatMap((event) => damage.get(event.revision)?.(event) ?? [event]);
      }
    },
    lose: (revision) => {
      damage.set(revision, () => []);
    },
    tamper: (revision, change) => {
      damage.set(revision, (event) => [{ ...event, data: change(event.data as JsonObject) }]);
    },
    replace: (revision, change) => {
      damage.set(revision, (event) => [change(event)]);
    },
    repair: () => damage.clear(),
  };
}
