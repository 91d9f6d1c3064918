import type { EventToAppend } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import Database from "better-sqlite3";

/** One append: small enough for one row. */
export interface SmallAppend {
  readonly stream: string;
  /** Of the first event. */
  readonly revision: number;
  readonly events: readonly EventToAppend[];
}

const TOGETHER = 1_000;

/**
 * Writes rows into a new store as the library would for these appends, a thousand in a transaction
 * and without waiting for the disk: one by one they would take longer than all the rest.
 */
export async function fillStore(file: string, appends: Iterable<SmallAppend>): Promise<void> {
  await openSqliteLog(file).close();
  const db = new Database(file);
  db.pragma("synchronous = OFF");
  const addStream = db.prepare<[string]>("INSERT INTO streams (name) VALUES (?)");
  const addChunk = db.prepare<[number, number, number, Buffer, string, string, string]>(
    `INSERT INTO chunks (stream, revision, last, ids, types, data, metadata)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  let known = { name: "", key: 0 };
  let inTransaction = 0;
  for (const { stream, revision, events } of appends) {
    if (inTransaction === 0) db.exec("BEGIN");
    if (revision === 0)
      known = { name: stream, key: Number(addStream.run(stream).lastInsertRowid) };
    if (known.name !== stream) throw new RangeError("streams are written one after another");
    const ids = Buffer.from(events.map(({ id }) => id.replaceAll("-", "")).join(""), "hex");
    const types = events.map(({ type }) => type).join("\n");
    const data = events.map((event) => JSON.stringify(event.data)).join("\n");
    const metadata = events.map((event) => JSON.stringify(event.metadata)).join("\n");
    addChunk.run(known.key, revision, revision + events.length - 1, ids, types, data, metadata);
    inTransaction = (inTransaction + 1) % TOGETHER;
    if (inTransaction === 0) db.exec("COMMIT");
  }
  if (inTransaction > 0) db.exec("COMMIT");
  db.close();
}
