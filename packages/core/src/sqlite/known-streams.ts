import { LruCache } from "../log/lru-cache.ts";
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
  const streams = new LruCache<string, { key: number | undefined; readonly ids: IdTable }>({
    mostEntries: MOST_STREAMS,
    mostWeight: MOST_IDS,
    weigh: ({ ids }) => ids.length,
  });
  return {
    of: (stream) => streams.peek(stream),
    catchUp(stream) {
      const known = streams.peek(stream) ?? { key: undefined, ids: createIdTable() };
      known.key ??= keyOf(stream);
      for (const { ids, count } of idsFrom(stream, known.ids.length)) known.ids.add(ids, count);
      streams.set(stream, known);
      return known;
    },
  };
}
