import type { IdTable } from "./id-table.ts";
import { createIdTable } from "./id-table.ts";
import type { Rows } from "./rows.ts";

/** A stream as far as this process knows it. */
export interface KnownStream {
  /** Undefined while it does not exist. */
  readonly key: number | undefined;
  /** Those of all its events. */
  readonly ids: IdTable;
}

/**
 * The streams that this process appends to. Events are never taken back, so what is known here
 * stays true; only what other processes appended since is missing.
 */
export interface KnownStreams {
  /** What is known without a look into the store; undefined for a stream never looked at. */
  of(stream: string): KnownStream | undefined;
  /** Reads what is missing, and gives all of it. */
  catchUp(stream: string): KnownStream;
}

/** Forgetting one costs no more than reading its ids again. */
const MOST_STREAMS = 100;

export function createKnownStreams({ keyOf, idsFrom }: Rows): KnownStreams {
  const streams = new Map<string, { key: number | undefined; readonly ids: IdTable }>();
  return {
    of: (stream) => streams.get(stream),
    catchUp(stream) {
      const known = streams.get(stream) ?? { key: undefined, ids: createIdTable() };
      // The map is in the order of use: the first of it was read least recently.
      streams.delete(stream);
      streams.set(stream, known);
      for (const name of streams.keys()) {
        if (streams.size <= MOST_STREAMS) break;
        streams.delete(name);
      }
      known.key ??= keyOf(stream);
      for (const ids of idsFrom(stream, known.ids.length)) known.ids.add(ids);
      return known;
    },
  };
}
