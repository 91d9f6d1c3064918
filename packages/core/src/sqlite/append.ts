import type Database from "better-sqlite3";
import type { SerializedEvent } from "../log/append.ts";
import { checkHead, earlierAppend } from "../log/append.ts";
import { LogError, WrongExpectedRevisionError } from "../log/errors.ts";
import type { AppendResult, ExpectedRevision } from "../log/port.ts";
import { isRefusedRow } from "./failures.ts";
import type { Rows } from "./rows.ts";
import { NOT_NEXT_REVISION, positionOf } from "./schema.ts";

export type AppendRows = (
  stream: string,
  events: readonly SerializedEvent[],
  expected: ExpectedRevision,
) => AppendResult;

/**
 * One append is one transaction. The usual append only inserts: that the head is not the expected
 * one, or that the stream holds one of the ids already, is found by the trigger that refuses the
 * row, and only then are head and ids looked up.
 */
export function prepareAppend(db: Database.Database, rows: Rows): AppendRows {
  const begin = db.prepare("BEGIN IMMEDIATE");
  const commit = db.prepare("COMMIT");
  const rollback = db.prepare("ROLLBACK");
  const addStream = db.prepare<[string]>("INSERT OR ROLLBACK INTO streams (name) VALUES (?)");
  const addEvent = db.prepare<[number, number, Buffer, string, string, string]>(
    `INSERT OR ROLLBACK INTO events (stream, revision, id, type, data, metadata)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const revisionOfId = db
    .prepare<[{ id: Buffer; stream: number }], number>(
      `SELECT revision FROM events WHERE position = ${positionOf("$id", "$stream")}`,
    )
    .pluck();

  const undo = (): void => {
    // RAISE(ROLLBACK) and a full disk end the transaction on their own.
    if (db.inTransaction) rollback.run();
  };
  const earlier = (stream: string, events: readonly SerializedEvent[]) => {
    const key = rows.keyOf(stream);
    if (key === undefined) return undefined;
    return earlierAppend(
      stream,
      events.map((event) => revisionOfId.get({ id: bytesOf(event.id), stream: key })),
    );
  };
  const insert: AppendRows = (stream, events, expected) => {
    const first = firstRevision(stream, expected);
    const key = rows.keyOf(stream) ?? Number(addStream.run(stream).lastInsertRowid);
    let revision = first;
    for (const { id, type, data, metadata } of events) {
      addEvent.run(key, revision++, bytesOf(id), type, data, metadata);
    }
    return { first, last: revision - 1, repeated: false };
  };
  const firstRevision = (stream: string, expected: ExpectedRevision): number => {
    if (expected === "no-stream") return 0;
    if (expected === "any") return (rows.head(stream) ?? -1) + 1;
    if (rows.keyOf(stream) === undefined) checkHead(stream, expected, undefined);
    return expected + 1;
  };
  const explain = (error: unknown, stream: string, expected: ExpectedRevision): unknown =>
    isRefusedRow(error, NOT_NEXT_REVISION)
      ? new WrongExpectedRevisionError(stream, expected, rows.head(stream))
      : error;

  return (stream, events, expected) => {
    let result: AppendResult;
    begin.run();
    try {
      result = insert(stream, events, expected);
    } catch (error) {
      undo();
      if (!isRefusedRow(error)) throw error;
      const repeated = earlier(stream, events);
      if (repeated === undefined) throw explain(error, stream, expected);
      return repeated;
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

function bytesOf(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}
