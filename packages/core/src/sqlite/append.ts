import type Database from "better-sqlite3";
import type { SerializedEvent } from "../log/append.ts";
import { checkHead, earlierAppend } from "../log/append.ts";
import { LogError } from "../log/errors.ts";
import type { AppendResult, ExpectedRevision } from "../log/port.ts";
import { isRefusedRow } from "./failures.ts";
import type { KnownStream } from "./known-events.ts";
import { createKnownEvents } from "./known-events.ts";
import type { Rows } from "./rows.ts";

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
  const transaction = prepareTransaction(db);
  const known = createKnownEvents(rows.idsFrom);

  const decide: AppendRows = (stream, events, expected) => {
    const own = known.catchUp(stream);
    const revisions = events.map((event) => own.revisions.get(event.id));
    const earlier = earlierAppend(stream, revisions);
    if (earlier !== undefined) return earlier;
    checkHead(stream, expected, headOf(own));
    return write(stream, own.length, events);
  };
  const append: AppendRows = (stream, events, expected) => {
    const own = known.of(stream);
    if (own !== undefined && looksRight(own, events, expected)) {
      try {
        return transaction(() => write(stream, own.length, events));
      } catch (error) {
        if (!isRefusedRow(error)) throw error;
      }
    }
    // Once before the lock is taken, for there may be much to read.
    known.catchUp(stream);
    return transaction(() => decide(stream, events, expected));
  };
  return (stream, events, expected) => {
    const result = append(stream, events, expected);
    if (!result.repeated) known.add(stream, events);
    return result;
  };
}

function headOf({ length }: KnownStream): number | undefined {
  return length === 0 ? undefined : length - 1;
}

function looksRight(
  own: KnownStream,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
): boolean {
  if (expected !== "any" && expected !== (headOf(own) ?? "no-stream")) return false;
  return !events.some((event) => own.revisions.has(event.id));
}

type Write = (stream: string, first: number, events: readonly SerializedEvent[]) => AppendResult;

/** Inserts the events at revision `first` and behind; the file refuses them anywhere else. */
function prepareWrite(db: Database.Database, rows: Rows): Write {
  const addStream = db.prepare<[string]>("INSERT OR ROLLBACK INTO streams (name) VALUES (?)");
  const addEvent = db.prepare<[number, number, Buffer, string, string, string]>(
    `INSERT OR ROLLBACK INTO events (stream, revision, id, type, data, metadata)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  // One for all: the driver copies what it is given.
  const bytes = Buffer.alloc(16);
  return (stream, first, events) => {
    const key = rows.keyOf(stream) ?? Number(addStream.run(stream).lastInsertRowid);
    let revision = first;
    for (const { id, type, data, metadata } of events) {
      bytes.write(id.replaceAll("-", ""), "hex");
      addEvent.run(key, revision++, bytes, type, data, metadata);
    }
    return { first, last: revision - 1, repeated: false };
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
      throw new LogError("outcome-unknown", "the append may or may not be stored", { cause });
    }
    return result;
  };
}
