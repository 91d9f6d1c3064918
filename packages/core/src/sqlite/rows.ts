import type Database from "better-sqlite3";
import { PAGE_TEXT_LIMIT } from "../log/paging.ts";
import type { StoredEvent, SubscriptionTarget } from "../log/port.ts";
import type { FeedPage } from "../log/subscription.ts";
import { UUID_BYTES } from "../log/uuid.ts";
import type { ChunkBytes, ChunkRow } from "./chunks.ts";
import { eventsOf, sizeOf } from "./chunks.ts";
import { BLOCK, CHUNK_EVENTS, headOf } from "./schema.ts";

/** The statements that read, on one connection. */
export interface Rows {
  readonly page: (
    stream: string,
    from: number,
    to: number,
    limit: number,
  ) => readonly StoredEvent[];
  readonly pageAfter: (target: SubscriptionTarget, cursor: number, limit: number) => FeedPage;
  readonly head: (stream: string) => number | undefined;
  /** The event ids of a stream from a revision on, some at a time. */
  readonly idsFrom: (stream: string, revision: number) => Iterable<StoredIds>;
  /** The key of a stream; undefined when it does not exist. */
  readonly keyOf: (stream: string) => number | undefined;
}

/** Ids of consecutive events; fewer bytes than 16 for each where the store is damaged. */
export interface StoredIds {
  readonly ids: Buffer;
  readonly count: number;
}

interface OfStream {
  readonly stream: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

interface OfPrefix {
  /** The chunk where the page begins, and how many events of it come before the page. */
  readonly first: number;
  readonly seen: number;
  readonly end: number;
  /** Length of the prefix, in bytes. */
  readonly length: number;
  readonly prefix: string;
  readonly limit: number;
}

/** The chunks of a stream in order, found through the blocks that it has chunks in. */
const selectOfStream = (columns: string): string =>
  `SELECT ${columns} FROM stream_blocks AS place
   CROSS JOIN chunks ON chunk >= block * ${BLOCK} AND chunk < (block + 1) * ${BLOCK}
     AND chunks.stream = place.stream
   WHERE place.stream = $stream AND place.revision <= $to
     AND place.revision >= (SELECT max(revision) FROM stream_blocks
       WHERE stream = $stream AND revision <= $from)
     AND last >= $from AND chunks.revision <= $to
   ORDER BY place.revision, chunk LIMIT $limit`;

const COLUMNS = "chunk, chunks.revision, last, lower(hex(ids)), types, data, metadata";

/** Keys of streams that are kept at hand: reading one again is one seek. */
const MOST_KEYS = 10_000;

export function prepareRows(db: Database.Database): Rows {
  const bytes = db
    .prepare<[number], [Buffer, Buffer]>(
      "SELECT CAST(data AS BLOB), CAST(metadata AS BLOB) FROM chunks WHERE chunk = ?",
    )
    .raw();
  const bytesOf: ChunkBytes = (chunk) => bytes.get(chunk);
  const ofStream = db.prepare<[OfStream], ChunkRow>(selectOfStream(COLUMNS)).raw();
  const ofPrefix = preparePrefixPages(db, bytesOf);
  const idsOfStream = db
    .prepare<[OfStream], [number, number, Buffer]>(
      selectOfStream("chunks.revision, last, coalesce(CAST(ids AS BLOB), x'')"),
    )
    .raw();
  const lastRevision = db
    .prepare<[{ stream: number }], number | null>(`SELECT ${headOf("$stream")}`)
    .pluck();
  // The newest chunk of the file is mostly of the stream that is asked about: one seek tells.
  const newest = db
    .prepare<[{ stream: number }], number>(
      `SELECT last FROM chunks
       WHERE chunk = (SELECT max(chunk) FROM chunks) AND stream = $stream`,
    )
    .pluck();
  const keyOf = prepareKeys(db);

  const page: Rows["page"] = (stream, from, to, limit) => {
    const known = keyOf(stream);
    if (known === undefined) return [];
    const head = from > 0 ? newest.get({ stream: known }) : undefined;
    if (head !== undefined && from > head) return [];
    return collect(ofStream.iterate({ stream: known, from, to, limit }), limit, (row, most) =>
      eventsOf(row, stream, { from, to, most }, bytesOf),
    );
  };
  return {
    page,
    pageAfter(target, cursor, limit) {
      if (!("stream" in target)) return ofPrefix(target.prefix, cursor, limit);
      const events = page(target.stream, cursor + 1, Number.MAX_SAFE_INTEGER, limit);
      return { events, cursor: events.at(-1)?.revision ?? cursor };
    },
    head(stream) {
      const known = keyOf(stream);
      if (known === undefined) return undefined;
      return newest.get({ stream: known }) ?? lastRevision.get({ stream: known }) ?? undefined;
    },
    *idsFrom(stream, from) {
      const known = keyOf(stream);
      if (known === undefined) return;
      const [to, limit] = [Number.MAX_SAFE_INTEGER, -1];
      const chunks = idsOfStream.iterate({ stream: known, from, to, limit });
      for (const [first, last, ids] of chunks) {
        const start = Math.max(from - first, 0);
        yield { ids: ids.subarray(start * UUID_BYTES), count: sizeOf(first, last) - start };
      }
    },
    keyOf,
  };
}

/** Streams are never renamed or removed, so a key that was read once holds for ever. */
function prepareKeys(db: Database.Database): Rows["keyOf"] {
  const key = db.prepare<[string], number>("SELECT stream FROM streams WHERE name = ?").pluck();
  const keys = new Map<string, number>();
  return (stream) => {
    const known = keys.get(stream) ?? key.get(stream);
    if (known !== undefined && !keys.has(stream)) {
      if (keys.size >= MOST_KEYS) keys.clear();
      keys.set(stream, known);
    }
    return known;
  };
}

/** What follows a cursor in the streams whose name starts with a prefix. */
function preparePrefixPages(
  db: Database.Database,
  bytesOf: ChunkBytes,
): (prefix: string, cursor: number, limit: number) => FeedPage {
  // Each row is asked for its name: a list of the streams that have the prefix would be made anew
  // for every page, and a store may have a million streams.
  const rowsFrom = db
    .prepare<[OfPrefix], ChunkRow>(
      `SELECT ${COLUMNS}, name FROM chunks CROSS JOIN streams USING (stream)
       WHERE chunk >= $first AND (chunk > $first OR last - revision >= $seen) AND chunk <= $end
         AND substr(CAST(name AS BLOB), 1, $length) = CAST($prefix AS BLOB)
       ORDER BY chunk LIMIT $limit`,
    )
    .raw();
  const lastChunk = db.prepare<[], number | null>("SELECT max(chunk) FROM chunks").pluck();
  return (prefix, cursor, limit) => {
    // Read before the page: whatever is appended in between lies behind it.
    const end = lastChunk.get() ?? -1;
    const [first, seen] = placeAt(cursor + 1);
    const length = Buffer.byteLength(prefix);
    const found = rowsFrom.iterate({ first, seen, end, length, prefix, limit });
    let last = Math.max(cursor, cursorOf(end + 1, 0) - 1);
    const events = collect(found, limit, (row, most) => {
      const [chunk, revision, to, , , , , name = ""] = row;
      const from = revision + (chunk === first ? seen : 0);
      const some = eventsOf(row, name, { from, to, most }, bytesOf);
      last = cursorOf(chunk, (some.at(-1)?.revision ?? to) - revision);
      return some;
    });
    return { events, cursor: last };
  };
}

/** The place of an event in the total order: that of its chunk, and its own in the chunk. */
function cursorOf(chunk: number, index: number): number {
  return chunk * CHUNK_EVENTS + index;
}

function placeAt(cursor: number): [chunk: number, index: number] {
  const chunk = Math.floor(cursor / CHUNK_EVENTS);
  return [chunk, cursor - chunk * CHUNK_EVENTS];
}

/** The events of chunks, at most `limit`, fewer when they hold much text. */
function collect(
  rows: Iterable<ChunkRow>,
  limit: number,
  read: (row: ChunkRow, most: number) => readonly StoredEvent[],
): StoredEvent[] {
  const events: StoredEvent[] = [];
  let text = 0;
  for (const row of rows) {
    for (const event of read(row, limit - events.length)) events.push(event);
    text += row[5].length + row[6].length;
    if (events.length === limit || text >= PAGE_TEXT_LIMIT) break;
  }
  return events;
}
