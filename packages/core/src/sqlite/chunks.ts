import type { Json } from "../json/json.ts";
import type { SerializedEvent } from "../log/append.ts";
import { LogError } from "../log/errors.ts";
import type { StoredEvent } from "../log/port.ts";
import { undecodableBytes } from "../log/undecodable.ts";
import { UUID_BYTES, writeUuid } from "../log/uuid.ts";
import { CHUNK_EVENTS } from "./schema.ts";

/*
 * A chunk is a row: consecutive events of one append. Its ids stand one after another, its types,
 * data and metadata are a line for each event. JSON as it is written here has no line feed in it.
 */

/** A chunk takes no more than so many UTF-16 units of JSON: in ASCII they fit into a page. */
const CHUNK_TEXT = 15_000;

/** What is written of a chunk beside its place. */
export interface Chunk {
  /** How many events. */
  readonly count: number;
  readonly ids: Buffer;
  readonly types: string;
  readonly data: string;
  readonly metadata: string;
}

/**
 * The chunk that begins at a place in an append; an event that has no room in one with others is
 * one by itself. Its ids stand in `bytes`, until those are used again.
 */
export function chunkFrom(events: readonly SerializedEvent[], start: number, bytes: Buffer): Chunk {
  let types = "";
  let data = "";
  let metadata = "";
  let room = CHUNK_TEXT;
  let count = 0;
  while (count < CHUNK_EVENTS) {
    const event = events[start + count];
    if (event === undefined) break;
    // A type of two lines would be taken for the types of two events.
    room -= event.type.includes("\n") ? CHUNK_TEXT : event.data.length + event.metadata.length;
    if (count > 0) {
      if (room < 0) break;
      types += "\n";
      data += "\n";
      metadata += "\n";
    }
    types += event.type;
    data += event.data;
    metadata += event.metadata;
    writeUuid(event.id, bytes, count * UUID_BYTES);
    count += 1;
  }
  return { count, ids: bytes.subarray(0, count * UUID_BYTES), types, data, metadata };
}

/** The columns of a chunk, as they are read; behind them the stream, where it is asked for. */
export type ChunkRow = [
  chunk: number,
  revision: number,
  last: number,
  /** In hexadecimal. */
  ids: string,
  types: string,
  data: string,
  metadata: string,
  stream?: string,
];

/** The stored bytes of data and metadata of a chunk. */
export type ChunkBytes = (chunk: number) => [Buffer, Buffer] | undefined;

/**
 * How many events a chunk says that it holds. Throws `store-damaged` for a number that no chunk
 * has: whoever counted on to its end might never come there, or come back to where it was.
 */
export function sizeOf(first: number, last: number): number {
  const size = last - first + 1;
  if (size >= 1 && size <= CHUNK_EVENTS) return size;
  throw new LogError("store-damaged", `a chunk says that it holds revisions ${first} to ${last}`);
}

/** Reads the events of a chunk from revision `from` to `to`, at most so many. */
export function eventsOf(
  row: Readonly<ChunkRow>,
  stream: string,
  range: { readonly from: number; readonly to: number; readonly most: number },
  bytesOf: ChunkBytes,
): StoredEvent[] {
  const [chunk, first, last, ids] = row;
  const count = sizeOf(first, last);
  const types = linesOf(row[4], count);
  const data = linesOf(row[5], count);
  const metadata = linesOf(row[6], count);
  const isWhole = types !== undefined && data !== undefined && metadata !== undefined;
  let bytes: readonly Lines[] | undefined;
  const events: StoredEvent[] = [];
  const from = Math.max(range.from, first);
  const end = Math.min(last, range.to, from + range.most - 1);
  for (let revision = from; revision <= end; revision += 1) {
    const index = revision - first;
    const [id, type] = [uuidAt(ids, index), types?.[index] ?? ""];
    const parsed = types && parse(data?.[index]);
    const more = parse(metadata?.[index]);
    if (parsed !== undefined && more !== undefined) {
      events.push({ stream, revision, id, type, data: parsed, metadata: more });
      continue;
    }
    bytes ??= byteLines(bytesOf(chunk), isWhole && count > 1);
    events.push({ stream, revision, id, type, ...strictly(bytes[index] ?? NOTHING, isWhole) });
  }
  return events;
}

/** The lines of a column; undefined when there are not as many as events. */
function linesOf(column: string, count: number): string[] | undefined {
  if (count === 1) return [column];
  const lines = column.split("\n");
  return lines.length === count ? lines : undefined;
}

/** The id at a place among those of a chunk. */
function uuidAt(ids: string, index: number): string {
  const start = index * 32;
  const part = (from: number, to: number) => ids.slice(start + from, start + to);
  return `${part(0, 8)}-${part(8, 12)}-${part(12, 16)}-${part(16, 20)}-${part(20, 32)}`;
}

/**
 * Undefined for what is not JSON, and for what may not be: bytes that are not UTF-8 arrive as
 * U+FFFD, which may also have been written on purpose.
 */
function parse(text: string | undefined): Json | undefined {
  if (text === undefined || text.includes("\uFFFD")) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** What the stored bytes of an event say by themselves, or that they do not decode. */
function strictly(
  [data, metadata]: Lines,
  isWhole: boolean,
): Pick<StoredEvent, "data" | "metadata" | "undecodable"> {
  try {
    if (!isWhole) throw new SyntaxError("the chunk does not fall into events");
    const [one, other] = [utf8.decode(data), utf8.decode(metadata)];
    return { data: JSON.parse(one), metadata: JSON.parse(other) };
  } catch {
    return { data: null, metadata: null, undecodable: undecodableBytes(data, metadata) };
  }
}

type Lines = readonly [data: Buffer, metadata: Buffer];

const NOTHING: Lines = [Buffer.alloc(0), Buffer.alloc(0)];

/** The bytes of each event's lines. The first has them all where they cannot be divided. */
function byteLines(columns: Lines | undefined, divided: boolean): Lines[] {
  if (columns === undefined || !divided) return [columns ?? NOTHING];
  const [data, metadata] = [splitLines(columns[0]), splitLines(columns[1])];
  return data.map((line, index) => [line, metadata[index] ?? NOTHING[1]]);
}

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
    lines.push(bytes.subarray(start, end));
    start = end + 1;
  }
  lines.push(bytes.subarray(start));
  return lines;
}
