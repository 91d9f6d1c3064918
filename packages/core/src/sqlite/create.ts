import { randomUUID } from "node:crypto";
import { closeSync, fsyncSync, linkSync, openSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import { APPLICATION_ID, FORMAT_VERSION, PAGE_SIZE, TABLES, TRIGGERS } from "./schema.ts";

/**
 * Creates the store if nobody else does so first. It is built under another name and linked into
 * place, so that a process that is killed, or one that looks in between, never sees half of it.
 */
export function createStore(file: string, timeout: number): void {
  const draft = `${file}.${randomUUID()}.new`;
  try {
    buildStore(draft, timeout);
    linkSync(draft, file);
    syncFolder(dirname(file));
  } catch (error) {
    if (isFileExists(error)) return;
    if (!isLinkUnsupported(error)) throw error;
    buildStore(file, timeout);
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Puts the tables into an empty file; does nothing when another process just did. */
export function buildStore(file: string, timeout: number): void {
  const db = new Database(file, { timeout });
  try {
    db.pragma(`page_size = ${PAGE_SIZE}`);
    db.exec("BEGIN EXCLUSIVE");
    const objects = db.prepare<[], number>("SELECT count(*) FROM sqlite_schema").pluck().get();
    if (objects === 0) {
      for (const sql of [...Object.values(TABLES), ...Object.values(TRIGGERS)]) db.exec(sql);
      db.pragma(`application_id = ${APPLICATION_ID}`);
      db.pragma(`user_version = ${FORMAT_VERSION}`);
    }
    db.exec("COMMIT");
    if (objects === 0) db.pragma("journal_mode = WAL");
  } finally {
    db.close();
  }
}

/** Without it a power cut could take the name of a file whose contents were synced. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function isFileExists(error: unknown): boolean {
  return codeOf(error) === "EEXIST";
}

function isLinkUnsupported(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"].includes(codeOf(error));
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}
