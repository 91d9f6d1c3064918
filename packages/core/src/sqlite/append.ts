import type Database from "better-sqlite3";
import type { SerializedEvent } from "../log/append.ts";
import { checkHead, earlierAppend } from "../log/append.ts";
import { LogError } from "../log/errors.ts";
import type { AppendResult, ExpectedRevision } from "../log/port.ts";
import { chunksOf, columnsOf } from "./chunks.ts";
import { isDiskError, isRefusedRow } from "./failures.ts";
import type { KnownStream } from "./known-events.ts";
import { createKnownEvents } from "./known-events.ts";
import type { Rows } from "./rows.ts";
import { CHUNK_EVENTS } from "./schema.ts";

export type AppendRows = (
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
) => AppendResult;

/**
 * One append is one transaction. An append that looks new, and expected, from what this process
 * knows is inserted without a question: had another process appended to the stream meanwhile, the
 * file would refuse the revision. Everything else is decided with the store locked, after reading
 * what is missing.
 */
export function prepareAppend(db: Database.Database, rows: Rows): AppendRows {
  const write = prepareWrite(db, rows);
  const { transaction, statement } = prepareUnits(db);
  const known = createKnownEvents(rows.idsFrom);

  const decide = (append: Append): AppendResult => {
    const { stream, events, expected } = append;
    const own = known.catchUp(stream);
    const earlier = earlierAppend(
      stream,
      events.map((event) => own.revisions.get(event.id)),
    );
    if (earlier !== undefined) return earlier;
    checkHead(stream, expected, headOf(own));
    return write(append, own.length);
  };
  const run = (append: Append): AppendResult => {
    const { stream } = append;
    const own = known.of(stream);
    if (own !== undefined && looksRight(own, append)) {
      // One row is a transaction by itself, and SQLite is asked once and not four times. The first
      // of a stream comes with that of the stream.
      const isOneRow = append.chunks.length === 1 && own.length > 0;
      const unit = isOneRow ? statement : transaction;
      try {
        return unit(() => write(append, own.length));
      } catch (error) {
        if (!isRefusedRow(error)) throw error;
      }
    }
    // Once before the lock is taken, for there may be much to read.
    known.catchUp(stream);
    return transaction(() => decide(append));
  };
  return (stream, events, expected) => {
    const result = run({ stream, events, expected, chunks: chunksOf(events) });
    if (!result.repeated) known.add(stream, events);
    return result;
  };
}

interface Append {
  readonly stream: string;
  readonly events: readonly SerializedEvent[];
  readonly expected: ExpectedRevision;
  readonly chunks: readonly (readonly SerializedEvent[])[];
}

function headOf({ length }: KnownStream): number | undefined {
  return length === 0 ? undefined : length - 1;
}

function looksRight(own: KnownStream, { events, expected }: Append): boolean {
  if (expected !== "any" && expected !== (headOf(own) ?? "no-stream")) return false;
  return !events.some((event) => own.revisions.has(event.id));
}

/** Inserts the events at revision `first` and behind; the file refuses them anywhere else. */
type Write = (append: Append, first: number) => AppendResult;

function prepareWrite(db: Database.Database, rows: Rows): Write {
  const addStream = db.prepare<[string]>("INSERT OR ROLLBACK INTO streams (name) VALUES (?)");
  const addChunk = db.prepare<[number, number, number, Buffer, string, string, string]>(
    `INSERT OR ROLLBACK INTO chunks (stream, revision, last, ids, types, data, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  // One for all: the driver copies what it is given.
  const bytes = Buffer.alloc(CHUNK_EVENTS * 16);
  return ({ stream, chunks }, first) => {
    const key = rows.keyOf(stream) ?? Number(addStream.run(stream).lastInsertRowid);
    let next = first;
    for (const events of chunks) {
      const last = next + events.length - 1;
      const { ids, types, data, metadata } = columnsOf(events, bytes);
      addChunk.run(key, next, last, ids, types, data, metadata);
      next = last + 1;
    }
    return { first, last: next - 1, repeated: false };
  };
}

/** Runs work as one transaction. */
type Unit = (work: () => AppendResult) => AppendResult;

/** `statement` is for work of one statement, which is a transaction of its own. */
function prepareUnits(db: Database.Database): { transaction: Unit; statement: Unit } {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const undo = (): void => {
    // RAISE(ROLLBACK) and a full disk end the transaction on their own.
    if (db.inTransaction) rollback.run();
  };
  const transaction: Unit = (work) => {
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
  const statement: Unit = (work) => {
    try {
      return work();
    } catch (error) {
      throw isDiskError(error) ? outcomeUnknown(error) : error;
    }
  };
  return { transaction, statement };
}

function outcomeUnknown(cause: unknown): LogError {
  return new LogError("outcome-unknown", "the append may or may not be stored", { cause });
}
