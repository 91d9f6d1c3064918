import type { IdTable } from "./id-table.ts";
import { createIdTable } from "./id-table.ts";
import type { Rows } from "./rows.ts";

/** A stream as far as this process knows it. */
export interface KnownStream {
  /** Undefined until it was found to exist. */
  readonly key: number | undefined;
  /** Ids of the known events, which are the first ones of the stream. */
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

/** Beyond either, streams caught up longest ago are forgotten; they are read again when needed. */
const MOST_STREAMS = 1_000;
/** An id takes 16 to 32 bytes. */
const MOST_IDS = 2_000_000;

export function createKnownStreams({ keyOf, idsFrom }: Rows): KnownStreams {
  const streams = new Map<string, { key: number | undefined; readonly ids: IdTable }>();
  const forget = (): void => {
    let ids = 0;
    for (const known of streams.values()) ids += known.ids.length;
    for (const [name, known] of streams) {
      if (streams.size === 1 || (streams.size <= MOST_STREAMS && ids <= MOST_IDS)) break;
      streams.delete(name);
      ids -= known.ids.length;
    }
  };
  return {
    of: (stream) => streams.get(stream),
    catchUp(stream) {
      const known = streams.get(stream) ?? { key: undefined, ids: createIdTable() };
      known.key ??= keyOf(stream);
      for (const { ids, count } of idsFrom(stream, known.ids.length)) known.ids.add(ids, count);
      streams.delete(stream);
      streams.set(stream, known);
      forget();
      return known;
    },
  };
}
