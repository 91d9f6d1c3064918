import { existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { UsageError } from "./terminal/output.ts";

/** Where the command line keeps its windows unless `--store` says otherwise. */
export const DEFAULT_STORE = ".palimpsest/store.db";

/**
 * Opens what `--store` names: `sqlite:FILE` or a bare path, or `memory:`. A store that is only
 * looked at must exist; one that is written to is made.
 */
export function openStore(spec: string, use: "look" | "write"): EventLog {
  if (spec === "memory:") return createMemoryLog();
  const scheme = /^([a-z][a-z0-9+.-]+):/.exec(spec)?.[1];
  if (scheme !== undefined && scheme !== "sqlite") {
    throw new UsageError(`--store knows sqlite:FILE, a path, and memory:; not ${scheme}:`);
  }
  const file = spec.replace(/^sqlite:/, "");
  if (file === "") throw new UsageError("--store names no file");
  if (use === "look" && !existsSync(file)) {
    throw new UsageError(`there is no store at ${file}: make one with palimpsest run or import`);
  }
  if (use === "write") mkdirSync(dirname(file), { recursive: true });
  return openSqliteLog(file);
}
