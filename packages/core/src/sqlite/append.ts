import type Database from "better-sqlite3";
import type { SerializedEvent } from "../log/append.ts";
import { checkHead, earlierAppend } from "../log/append.ts";
import { LogError } from "../log/errors.ts";
import type { AppendResult, ExpectedRevision } from "../log/port.ts";
import { UUID_BYTES, writeUuid } from "../log/uuid.ts";
import type { Chunk } from "./chunks.ts";
import { chunkFrom } from "./chunks.ts";
import { isDiskError, isRefusedRow } from "./failures.ts";
import type { IdTable } from "./id-table.ts";
import { appendOnlyOf } from "./inspect.ts";
import type { KnownStream } from "./known-streams.ts";
import { createKnownStreams } from "./known-streams.ts";
import type { Rows, StoredIds } from "./rows.ts";
import { ADD_BLOCK, CHUNK_EVENTS } from "./schema.ts";

export type AppendRows = (
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
) => AppendResult;

/**
 * One append is one transaction. An append of one row, as most are, that looks new and expected
 * from what this process knows, is inserted without a question: had another process appended to
 * the stream meanwhile, the file would refuse the revision. Everything else is decided with the
 * store locked, after reading what is missing.
 *
 * The short way is worth its lines: what runs after the disk was waited for finds its memory cold,
 * and takes several times as long as it does in a loop.
 */
export function prepareAppend(db: Database.Database, rows: Rows): AppendRows {
  // What the triggers would refuse must be seen here, in a store that somebody took them from.
  const hasTriggers = appendOnlyOf(db) === "store";
  const { addStream, addRow, addBlock } = prepareInserts(db);
  const transaction = prepareTransaction(db);
  const known = createKnownStreams(rows);
  // One for all: the driver copies what it is given.
  const bytes = Buffer.alloc(CHUNK_EVENTS * UUID_BYTES);
  const oneId = Buffer.alloc(UUID_BYTES);

  /** Undefined, and nothing inserted, where it must be decided. */
  const inOneRow = (
    { key, ids }: KnownStream,
    events: readonly SerializedEvent[],
    expected: ExpectedRevision,
  ): AppendResult | undefined => {
    if (!hasTriggers || key === undefined) return undefined;
    if (expected !== "any" && expected !== ids.length - 1) return undefined;
    const chunk = chunkFrom(events, 0, bytes);
    if (chunk.count < events.length || mayHoldAny(ids, chunk.ids)) return undefined;
    const first = ids.length;
    try {
      // One statement is a transaction by itself: SQLite is asked once and not four times.
      addRow(key, first, chunk);
    } catch (error) {
      if (isRefusedRow(error)) return undefined;
      throw isDiskError(error) ? outcomeUnknown(error) : error;
    }
    ids.add(chunk.ids);
    return appended(first, events);
  };
  const decide: AppendRows = (stream, events, expected) => {
    const { key, ids } = known.catchUp(stream);
    const idAt = idReader(rows, stream);
    const revisions = events.map(({ id }) => {
      writeUuid(id, oneId, 0);
      for (const revision of ids.candidates(oneId, 0)) {
        if (idAt(revision).equals(oneId)) return revision;
      }
      return undefined;
    });
    const earlier = earlierAppend(stream, revisions);
    if (earlier !== undefined) return earlier;
    const first = ids.length;
    checkHead(stream, expected, first === 0 ? undefined : first - 1);
    const own = key ?? addStream(stream);
    for (let start = 0; start < events.length; ) {
      const chunk = chunkFrom(events, start, bytes);
      addRow(own, first + start, chunk);
      if (!hasTriggers) addBlock(own, first + start);
      start += chunk.count;
    }
    return appended(first, events);
  };
  return (stream, events, expected) => {
    const own = known.of(stream);
    const result = own && inOneRow(own, events, expected);
    if (result !== undefined) return result;
    // Once before the lock is taken, for there may be much to read.
    const { ids } = known.catchUp(stream);
    const decided = transaction(() => decide(stream, events, expected));
    if (decided.repeated) return decided;
    for (const { id } of events) {
      writeUuid(id, oneId, 0);
      ids.add(oneId);
    }
    return decided;
  };
}

function appended(first: number, events: readonly SerializedEvent[]): AppendResult {
  return { first, last: first + events.length - 1, repeated: false };
}

function mayHoldAny(ids: IdTable, some: Uint8Array): boolean {
  for (let at = 0; at < some.length; at += UUID_BYTES) if (ids.mayHold(some, at)) return true;
  return false;
}

/** The stored id at a revision. Ids that follow one another are read a row at a time. */
function idReader(rows: Rows, stream: string): (revision: number) => Buffer {
  let first = 0;
  let read: StoredIds = { ids: Buffer.alloc(0), count: 0 };
  return (revision) => {
    if (revision < first || revision >= first + read.count) {
      const [portion] = rows.idsFrom(stream, revision);
      first = revision;
      read = portion ?? read;
    }
    const at = (revision - first) * UUID_BYTES;
    return read.ids.subarray(at, at + UUID_BYTES);
  };
}

function prepareInserts(db: Database.Database) {
  const stream = db.prepare<[string]>("INSERT OR ROLLBACK INTO streams (name) VALUES (?)");
  const row = db.prepare<[number, number, number, Buffer, string, string, string]>(
    `INSERT OR ROLLBACK INTO chunks (stream, revision, last, ids, types, data, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const block = db.prepare<[{ stream: number; revision: number }]>(ADD_BLOCK);
  return {
    addStream: (name: string): number => Number(stream.run(name).lastInsertRowid),
    addRow(key: number, first: number, { count, ids, types, data, metadata }: Chunk): void {
      row.run(key, first, first + count - 1, ids, types, data, metadata);
    },
    /** Adds the block of the row just added, unless it is known. */
    addBlock: (stream: number, revision: number): unknown => block.run({ stream, revision }),
  };
}

function prepareTransaction(db: Database.Database): (work: () => AppendResult) => AppendResult {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const undo = (): void => {
    // RAISE(ROLLBACK) and a full disk end the transaction on their own.
    if (db.inTransaction) rollback.run();
  };
  return (work) => {
    let result: AppendResult;
    begin.run();
    try {
      result = work();
    } catch (error) {
      undo();
      throw error;
    }
    try {
      commit.run();
    } catch (cause) {
      undo();
      throw outcomeUnknown(cause);
    }
    return result;
  };
}

function outcomeUnknown(cause: unknown): LogError {
  return new LogError("outcome-unknown", "the append may or may not be stored", { cause });
}
