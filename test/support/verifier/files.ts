import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import Database from "better-sqlite3";
import { onTestFinished } from "vitest";

/** A folder that goes away with the test. */
export async function testFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-verifier-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** A SQLite store that is closed for the time in which its file is worked on. */
export async function withLog<T>(file: string, task: (log: EventLog) => Promise<T>): Promise<T> {
  const log = openSqliteLog(file);
  try {
    return await task(log);
  } finally {
    await log.close();
  }
}

/** Changes a file as somebody with a database tool would, the triggers out of the way. */
export function tamper(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(`DROP TRIGGER IF EXISTS chunks_update; DROP TRIGGER IF EXISTS chunks_delete; ${sql}`);
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();
}
