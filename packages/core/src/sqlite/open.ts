import { resolve } from "node:path";
import Database from "better-sqlite3";
import { DEFAULT_MAX_APPEND_BYTES, serializeAppend } from "../log/append.ts";
import { LogError } from "../log/errors.ts";
import { createFollowers } from "../log/followers.ts";
import { pagesOf } from "../log/paging.ts";
import type { EventLog, LogReader } from "../log/port.ts";
import type { SubscriptionFeed } from "../log/subscription.ts";
import { subscription } from "../log/subscription.ts";
import { prepareAppend } from "./append.ts";
import { buildStore, createStore } from "./create.ts";
import { logErrorOf } from "./failures.ts";
import { appendOnlyOf, fileState, inspectStore } from "./inspect.ts";
import { checkNodeVersion } from "./node-version.ts";
import type { Rows } from "./rows.ts";
import { prepareRows } from "./rows.ts";
import { watchStore } from "./watch.ts";

export interface SqliteLogOptions {
  /**
   * How long an append waits for another process's lock, in milliseconds. Default 5,000. The event
   * loop waits, too; an append holds the lock for about as long as the disk takes to sync.
   */
  readonly busyTimeout?: number;
}

const DEFAULT_BUSY_TIMEOUT = 5_000;

/**
 * Opens the store in `file`, or creates it. Several processes may have it open at once.
 *
 * Throws a LogError: `store-damaged`, `store-foreign` (another program's file), `store-newer`,
 * `store-read-only` or `store-unavailable` (no such folder, no permission, locked, a Node that the
 * driver cannot serve). The file is left as it was then.
 */
export function openSqliteLog(file: string, options: SqliteLogOptions = {}): EventLog {
  checkNodeVersion();
  const path = resolve(file);
  const timeout = options.busyTimeout ?? DEFAULT_BUSY_TIMEOUT;
  return withLogErrors(path, () => {
    const state = fileState(path, "write");
    if (state === "missing") createStore(path, timeout);
    if (state === "empty") buildStore(path, timeout);
    inspectStore(path);
    return openConnection(path, { fileMustExist: true, timeout }, (db) => {
      db.pragma("journal_mode = WAL");
      db.pragma("synchronous = FULL");
      const { reader, rows, use, wake } = openHandle(db, path);
      const appendRows = prepareAppend(db, rows);
      const append: EventLog["append"] = async (stream, events, expected) => {
        use();
        const serialized = serializeAppend(stream, events, expected, DEFAULT_MAX_APPEND_BYTES);
        // Not by withLogErrors and db.open: each call less counts here (append.ts).
        try {
          const result = appendRows(stream, serialized, expected);
          if (!result.repeated) wake();
          return result;
        } catch (error) {
          throw logErrorOf(error, path);
        }
      };
      return { ...reader, append };
    });
  });
}

/**
 * Opens the store in `file` on a connection that cannot write. Throws as `openSqliteLog` does,
 * and `store-unavailable` when there is no store yet.
 */
export function openSqliteReader(file: string): LogReader {
  checkNodeVersion();
  const path = resolve(file);
  return withLogErrors(path, () => {
    if (fileState(path, "read") !== "present") {
      throw new LogError("store-unavailable", `there is no store yet: ${path}`);
    }
    inspectStore(path);
    const options = { readonly: true, timeout: DEFAULT_BUSY_TIMEOUT };
    return openConnection(path, options, (db) => openHandle(db, path).reader);
  });
}

function openConnection<Result>(
  path: string,
  options: Database.Options,
  use: (db: Database.Database) => Result,
): Result {
  const db = new Database(path, options);
  try {
    return use(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

interface Handle {
  readonly reader: LogReader;
  readonly rows: Rows;
  /** Throws `log-closed` once the handle was closed. */
  use(): void;
  /** Tells the subscriptions of this handle that it appended. */
  wake(): void;
}

function openHandle(db: Database.Database, path: string): Handle {
  db.pragma("cell_size_check = ON");
  db.pragma("trusted_schema = OFF");
  const rows = prepareRows(db);
  const version = db.prepare<[], number>("PRAGMA data_version").pluck();
  let stopWatching = (): void => {};
  const followers = createFollowers(
    () => {
      stopWatching = watchStore({
        file: path,
        dataVersion: () => version.get() ?? 0,
        onChange: () => followers.wakeAll(),
      });
    },
    () => stopWatching(),
  );
  let isOpen = true;
  const use = (): void => {
    if (!isOpen) throw new LogError("log-closed", `the handle was closed: ${path}`);
  };
  const read = <Result>(reading: () => Result): Result => {
    use();
    return withLogErrors(path, reading);
  };
  const feed: SubscriptionFeed = {
    pageAfter: (target, cursor, limit) => read(() => rows.pageAfter(target, cursor, limit)),
    follow: (follower) => read(() => followers.add(follower)),
  };
  const reader: LogReader = {
    guarantees: { appendOnly: appendOnlyOf(db), writersSeparated: "process" },
    maxAppendBytes: DEFAULT_MAX_APPEND_BYTES,
    read: (stream, options) =>
      pagesOf((from, to, limit) => read(() => rows.page(stream, from, to, limit)), options),
    head: async (stream) => read(() => rows.head(stream)),
    subscribe: (target, options) => subscription(feed, target, options),
    async close() {
      followers.endAll();
      stopWatching();
      isOpen = false;
      db.close();
    },
  };
  return { reader, rows, use, wake: () => followers.wakeAll() };
}

function withLogErrors<Result>(path: string, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw logErrorOf(error, path);
  }
}
