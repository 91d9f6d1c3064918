import type { LogErrorCode } from "../log/errors.ts";
import { LogError } from "../log/errors.ts";

type Meaning = readonly [LogErrorCode, string];

/** What SQLite's result codes mean for the log port; an extended code counts by two parts. */
const MEANINGS: Readonly<Record<string, Meaning>> = {
  SQLITE_CORRUPT: ["store-damaged", "the store is damaged"],
  SQLITE_NOTADB: ["store-damaged", "the file is not an SQLite file, or its beginning is damaged"],
  SQLITE_ERROR: ["store-damaged", "the store lacks what a sound store has"],
  SQLITE_CONSTRAINT: ["store-damaged", "the store refused what a sound store allows"],
  SQLITE_READONLY: ["store-read-only", "the store is read-only"],
  SQLITE_READONLY_ROLLBACK: ["store-unavailable", "a program left a transaction unfinished"],
  SQLITE_BUSY: ["store-unavailable", "another process holds the store's lock"],
  SQLITE_LOCKED: ["store-unavailable", "the store is locked"],
  SQLITE_CANTOPEN: ["store-unavailable", "the store, or a file beside it, cannot be opened"],
  SQLITE_PERM: ["store-unavailable", "the store may not be opened"],
  SQLITE_FULL: ["store-unavailable", "the disk is full"],
};

const OTHER: Meaning = ["store-unavailable", "the store cannot be used"];

/** The LogError for what SQLite or the file system threw; anything else comes back unchanged. */
export function logErrorOf(error: unknown, file: string): unknown {
  const code = sqliteCode(error) ?? systemCode(error);
  if (code === undefined) return error;
  const [meaning, text] =
    MEANINGS[code] ?? MEANINGS[code.split("_").slice(0, 2).join("_")] ?? OTHER;
  return new LogError(meaning, `${text} (${code}): ${file}`, { cause: error });
}

/** True when a constraint or a trigger of the file refused a row. */
export function isRefusedRow(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_CONSTRAINT") ?? false;
}

/**
 * True when the disk failed under a statement: whether it was carried out is then not known. On a
 * full disk it was not, for its last page is missing.
 */
export function isDiskError(error: unknown): boolean {
  return sqliteCode(error)?.startsWith("SQLITE_IOERR") ?? false;
}

/** Told by shape and not by class: an application may hold two copies of the driver. */
function sqliteCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code } = error;
  return typeof code === "string" && code.startsWith("SQLITE_") ? code : undefined;
}

/** The code of an error from a system call, such as EACCES. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("syscall" in error && "code" in error)) return undefined;
  return String(error.code);
}
