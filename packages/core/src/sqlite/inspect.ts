import type { Stats } from "node:fs";
import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { LogError } from "../log/errors.ts";
import type { GuaranteeLevel } from "../log/port.ts";
import { APPLICATION_ID, FORMAT_VERSION, TABLES, TRIGGERS } from "./schema.ts";

/** What there is at a path: nothing, a file without a byte, or something to inspect. */
export type FileState = "missing" | "empty" | "present";

/** Throws `store-unavailable` where no store can be, and `store-read-only` for a writer. */
export function fileState(file: string, use: "read" | "write"): FileState {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (stats === undefined) {
    if (existsSync(dirname(file))) return "missing";
    throw new LogError("store-unavailable", `the folder does not exist: ${dirname(file)}`);
  }
  if (!stats.isFile()) throw new LogError("store-unavailable", `the store is not a file: ${file}`);
  if (!isAllowed(file, constants.R_OK)) {
    throw new LogError("store-unavailable", `the file may not be read: ${file}`);
  }
  if (use === "write" && !isWritable(file, stats)) {
    throw new LogError("store-read-only", `the file may not be written: ${file}`);
  }
  return stats.size === 0 ? "empty" : "present";
}

/**
 * Looks whether a file is a store of ours and throws `store-damaged`, `store-foreign` or
 * `store-newer` when it is not, leaving it as it was.
 *
 * A connection that may write deletes the -wal and -shm that SQLite makes beside a file; one that
 * may not leaves them there. But the last writer to close also moves a -wal that it found into the
 * file. So: read-only where there is one, or a journal, and otherwise not.
 *
 * The file is never opened past SQLite: closing a second descriptor drops the locks that other
 * connections of this process hold on it (sqlite.org/howtocorrupt.html, section 2.2).
 */
export function inspectStore(file: string): void {
  const [wal, journal] = ["wal", "journal"].map((name) =>
    statSync(`${file}-${name}`, { throwIfNoEntry: false }),
  );
  const stats = statSync(file);
  const readonly = wal !== undefined || journal !== undefined || !isWritable(file, stats);
  const db = new Database(file, { readonly, fileMustExist: true });
  try {
    checkIdentity(db, file);
    // One who only looked leaves an empty -wal; one with content may hold the missing pages.
    if ((wal?.size ?? 0) === 0 && journal === undefined) checkSize(db, file, stats);
    db.prepare("SELECT * FROM chunks ORDER BY chunk DESC LIMIT 1").get();
    db.prepare("SELECT * FROM streams ORDER BY stream DESC LIMIT 1").get();
  } finally {
    db.close();
  }
}

/** Who keeps events from being changed: the file, as long as its triggers are all there. */
export function appendOnlyOf(db: Database.Database): GuaranteeLevel {
  const found = schemaOf(db, "trigger");
  const expected = Object.entries(TRIGGERS);
  const same = expected.every(([name, sql]) => found.get(name) === sql);
  return same && found.size === expected.length ? "store" : "none";
}

function checkIdentity(db: Database.Database, file: string): void {
  // SQLite takes a file that is shorter than a header for an empty one.
  if (db.pragma("page_count", { simple: true }) === 0) {
    throw new LogError("store-damaged", `the file is cut off: ${file}`);
  }
  const application = db.pragma("application_id", { simple: true });
  if (application !== APPLICATION_ID) {
    throw new LogError("store-foreign", `the SQLite file belongs to another program: ${file}`);
  }
  const version = Number(db.pragma("user_version", { simple: true }));
  if (version > FORMAT_VERSION) {
    throw new LogError(
      "store-newer",
      `the store has format ${version}, and this version reads up to ${FORMAT_VERSION}: ${file}`,
    );
  }
  if (version === 1) {
    throw new LogError(
      "store-foreign",
      `the store has format 1, which is older than the first release: ${file}`,
    );
  }
  const tables = schemaOf(db, "table");
  if (version < 1 || Object.entries(TABLES).some(([name, sql]) => tables.get(name) !== sql)) {
    throw new LogError("store-damaged", `the tables are not those of a store: ${file}`);
  }
}

/** SQLite fills up a last page that is cut off with zeros, and so would change what it holds. */
function checkSize(db: Database.Database, file: string, stats: Stats): void {
  if (stats.size % Number(db.pragma("page_size", { simple: true })) === 0) return;
  throw new LogError("store-damaged", `the file is cut off: ${file}`);
}

function schemaOf(db: Database.Database, type: "table" | "trigger"): Map<string, string> {
  const rows = db
    .prepare<[string], [string, string]>("SELECT name, sql FROM sqlite_schema WHERE type = ?")
    .raw()
    .all(type);
  return new Map(rows);
}

/** A file that nobody may write was made so on purpose; root would write it all the same. */
function isWritable(file: string, stats: Stats): boolean {
  return (stats.mode & 0o222) !== 0 && isAllowed(file, constants.W_OK);
}

function isAllowed(file: string, mode: number): boolean {
  try {
    accessSync(file, mode);
    return true;
  } catch {
    return false;
  }
}
