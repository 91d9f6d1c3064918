import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { EventLog, LogReader } from "@palimpsest/core";
import { createMemoryLog, isLogError, LogError } from "@palimpsest/core";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { isEventStoreDb, loadEventStoreDb } from "./eventstoredb.ts";
import { makeFolder } from "./folder.ts";
import { say, UsageError } from "./terminal/output.ts";

/** Where the command line keeps its windows unless `--store` says otherwise. */
export const DEFAULT_STORE = ".palimpsest/store.db";

/**
 * What a call does with a store. `look`: reads, and needs no right to write. `change`: writes to a
 * store that is there. `make`: writes, and makes the store, with its folders, when there is none.
 */
export type Use = "look" | "change" | "make";

/**
 * Opens what `--store` names: `sqlite:FILE` or a bare path, `memory:`, or a connection string of
 * EventStoreDB. An append to a store that is only looked at rejects with `store-read-only`.
 */
export async function openStore(spec: string, use: Use): Promise<EventLog> {
  if (spec === "memory:") return createMemoryLog();
  if (isEventStoreDb(spec)) return openEventStoreDb(spec, use);
  const scheme = /^([a-z][a-z0-9+.-]+):/.exec(spec)?.[1];
  if (scheme !== undefined && scheme !== "sqlite") {
    throw new UsageError(`--store knows sqlite:FILE, a path, memory: and esdb://; not ${scheme}:`);
  }
  const file = spec.replace(/^sqlite:/, "");
  if (file === "") throw new UsageError("--store names no file");
  if (use === "make") makeFolder(dirname(resolve(file)));
  else if (holdsNothing(file)) {
    throw new UsageError(`there is no store at ${file}: make one with palimpsest run or import`);
  }
  return use === "look" ? openToLook(file) : openSqliteLog(file);
}

/** True where there is no file, or one without a byte. */
function holdsNothing(file: string): boolean {
  const stats = statSync(file, { throwIfNoEntry: false });
  return stats === undefined || (stats.isFile() && stats.size === 0);
}

function openToLook(file: string): EventLog {
  try {
    return withoutAppend(openSqliteReader(file));
  } catch (error) {
    if (!isLogError(error, "store-read-only")) throw error;
    const why = "a reader, too, makes files beside the store: copy it to where you may write";
    throw new UsageError(`${error.message}; ${why}`, { cause: error });
  }
}

function withoutAppend(reader: LogReader): EventLog {
  const append: EventLog["append"] = async () => {
    throw new LogError("store-read-only", "the store was opened to be looked at");
  };
  return { ...reader, append };
}

/** Says once, plainly, when the server protects nothing. */
async function openEventStoreDb(url: string, use: Use): Promise<EventLog> {
  const { openEventStoreDbLog, openEventStoreDbReader } = await loadEventStoreDb();
  const log =
    use === "look"
      ? withoutAppend(await openEventStoreDbReader(url))
      : await openEventStoreDbLog(url);
  if (log.guarantees.appendOnly === "none") {
    say(
      "this server does not keep this user from changing the log: every edit is at best " +
        "provisional. `palimpsest doctor` says what to do",
    );
  }
  return log;
}
