import type Database from "better-sqlite3";
import type { Json } from "../json/json.ts";
import { PAGE_TEXT_LIMIT } from "../log/paging.ts";
import type { StoredEvent, SubscriptionTarget } from "../log/port.ts";
import type { FeedPage } from "../log/subscription.ts";
import { BLOCK, headOf } from "./schema.ts";

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
  /** The event ids of a stream from a revision on. */
  readonly idsFrom: (stream: string, revision: number) => Iterable<string>;
  /** The key of a stream; undefined when it does not exist. */
  readonly keyOf: (stream: string) => number | undefined;
}

type Row = [
  position: number,
  stream: string,
  revision: number,
  id: string,
  type: string,
  data: string,
  metadata: string,
];

interface OfStream {
  readonly stream: number;
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

const COLUMNS = "position, name, events.revision, lower(hex(id)), type, data, metadata";

/** The events of a stream in order, found through the blocks that it has events in. */
const selectOfStream = (columns: string): string =>
  `SELECT ${columns} FROM stream_blocks AS place
   CROSS JOIN events ON position >= block * ${BLOCK} AND position < (block + 1) * ${BLOCK}
     AND events.stream = place.stream
   JOIN streams ON streams.stream = place.stream
   WHERE place.stream = $stream AND place.revision <= $to
     AND place.revision >= (SELECT max(revision) FROM stream_blocks
       WHERE stream = $stream AND revision <= $from)
     AND events.revision BETWEEN $from AND $to
   ORDER BY place.revision, position LIMIT $limit`;

/** Keys of streams that are kept at hand: reading one again is one seek. */
const MOST_KEYS = 10_000;

export function prepareRows(db: Database.Database): Rows {
  const ofStream = db.prepare<[OfStream], Row>(selectOfStream(COLUMNS)).raw();
  const idsOfStream = db.prepare<[OfStream], string>(selectOfStream("lower(hex(id))")).pluck();
  // Each row is asked for its name: a list of the streams that have the prefix would be made anew
  // for every page, and a store may have a million streams.
  const ofPrefix = db
    .prepare<[number, number, number, string, number], Row>(
      `SELECT ${COLUMNS} FROM events CROSS JOIN streams USING (stream)
       WHERE position > ? AND position <= ?
         AND substr(CAST(name AS BLOB), 1, ?) = CAST(? AS BLOB)
       ORDER BY position LIMIT ?`,
    )
    .raw();
  const lastPosition = db.prepare<[], number | null>("SELECT max(position) FROM events").pluck();
  const lastRevision = db
    .prepare<[{ stream: number }], number | null>(`SELECT ${headOf("$stream")}`)
    .pluck();
  // Mostly the newest event of the file is of the stream that is asked about: one seek tells.
  const newest = db
    .prepare<[{ stream: number }], number>(
      `SELECT revision FROM events
       WHERE position = (SELECT max(position) FROM events) AND stream = $stream`,
    )
    .pluck();
  const key = db.prepare<[string], number>("SELECT stream FROM streams WHERE name = ?").pluck();
  const bytes = db
    .prepare<[number], [Buffer, Buffer]>(
      "SELECT CAST(data AS BLOB), CAST(metadata AS BLOB) FROM events WHERE position = ?",
    )
    .raw();

  // Streams are never renamed or removed, so a key that was read once holds for ever.
  const keys = new Map<string, number>();
  const keyOf = (stream: string): number | undefined => {
    const known = keys.get(stream) ?? key.get(stream);
    if (known !== undefined && !keys.has(stream)) {
      if (keys.size >= MOST_KEYS) keys.clear();
      keys.set(stream, known);
    }
    return known;
  };
  const decode = (row: Row): StoredEvent => decodeRow(row, (position) => bytes.get(position));

  const page: Rows["page"] = (stream, from, to, limit) => {
    const known = keyOf(stream);
    if (known === undefined) return [];
    const head = from > 0 ? newest.get({ stream: known }) : undefined;
    return head !== undefined && from > head
      ? []
      : take(ofStream.iterate({ stream: known, from, to, limit })).map(decode);
  };
  return {
    page,
    pageAfter(target, cursor, limit) {
      if ("stream" in target) {
        const events = page(target.stream, cursor + 1, Number.MAX_SAFE_INTEGER, limit);
        return { events, cursor: events.at(-1)?.revision ?? cursor };
      }
      // Read before the page: whatever is appended in between lies behind it.
      const end = lastPosition.get() ?? cursor;
      const length = Buffer.byteLength(target.prefix);
      const rows = take(ofPrefix.iterate(cursor, end, length, target.prefix, limit));
      const last = rows.at(-1)?.[0];
      return { events: rows.map(decode), cursor: last ?? Math.max(cursor, end) };
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
      for (const hex of idsOfStream.iterate({ stream: known, from, to, limit })) yield uuidOf(hex);
    },
    keyOf,
  };
}

function take(rows: Iterable<Row>): Row[] {
  const taken: Row[] = [];
  let text = 0;
  for (const row of rows) {
    taken.push(row);
    text += row[5].length + row[6].length;
    if (text >= PAGE_TEXT_LIMIT) break;
  }
  return taken;
}

type Bytes = (position: number) => [Buffer, Buffer] | undefined;

function decodeRow(row: Row, bytesAt: Bytes): StoredEvent {
  const [position, stream, revision, hex, type, data, metadata] = row;
  const id = uuidOf(hex);
  const parsedData = parse(data, position, bytesAt);
  const parsedMetadata = parse(metadata, position, bytesAt);
  if (parsedData !== undefined && parsedMetadata !== undefined) {
    return { stream, revision, id, type, data: parsedData, metadata: parsedMetadata };
  }
  const undecodable = framed(bytesAt(position) ?? [Buffer.alloc(0), Buffer.alloc(0)]);
  return { stream, revision, id, type, data: null, metadata: null, undecodable };
}

function uuidOf(hex: string): string {
  const [a, b, c] = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16)];
  return `${a}-${b}-${c}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/**
 * Undefined for what is no JSON. Bytes that are no UTF-8 arrive as U+FFFD, which may also have
 * been written on purpose: only then are the bytes looked at.
 */
function parse(text: string, position: number, bytesAt: Bytes): Json | undefined {
  try {
    if (text.includes("\uFFFD")) for (const part of bytesAt(position) ?? []) strict.decode(part);
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const strict = new TextDecoder("utf-8", { fatal: true });

/** The data's length in decimal digits and a colon, then data and metadata as they are stored. */
function framed([data, metadata]: [Buffer, Buffer]): Uint8Array {
  return Uint8Array.from(Buffer.concat([Buffer.from(`${data.length}:`), data, metadata]));
}
