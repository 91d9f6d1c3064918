import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { say, UsageError } from "./terminal/output.ts";

/** Where the command line keeps its windows unless `--store` says otherwise. */
export const DEFAULT_STORE = ".palimpsest/store.db";

const ESDB = /^(esdb|esdb\+discover):\/\//;

/**
 * Opens what `--store` names: `sqlite:FILE` or a bare path, `memory:`, or a connection string of
 * EventStoreDB. A file that is only looked at must exist; one that is written to is made.
 */
export async function openStore(spec: string, use: "look" | "write"): Promise<EventLog> {
  if (spec === "memory:") return createMemoryLog();
  if (isEventStoreDb(spec)) return openEventStoreDb(spec);
  const scheme = /^([a-z][a-z0-9+.-]+):/.exec(spec)?.[1];
  if (scheme !== undefined && scheme !== "sqlite") {
    throw new UsageError(`--store knows sqlite:FILE, a path, memory: and esdb://; not ${scheme}:`);
  }
  const file = spec.replace(/^sqlite:/, "");
  if (file === "") throw new UsageError("--store names no file");
  if (use === "look" && !existsSync(file)) {
    throw new UsageError(`there is no store at ${file}: make one with palimpsest run or import`);
  }
  if (use === "write") mkdirSync(dirname(file), { recursive: true });
  return openSqliteLog(file);
}

/** True for the connection string of a server. */
export function isEventStoreDb(spec: string): boolean {
  return ESDB.test(spec);
}

/** Says once, plainly, when the server protects nothing. The client loads only when it is used. */
async function openEventStoreDb(url: string): Promise<EventLog> {
  const { openEventStoreDbLog } = await import("@palimpsest/core/eventstoredb");
  const log = await openEventStoreDbLog(url);
  if (log.guarantees.appendOnly === "none") {
    say(
      "this server does not keep this user from changing the log: every edit is at best " +
        "provisional. `palimpsest doctor` says what to do",
    );
  }
  return log;
}
