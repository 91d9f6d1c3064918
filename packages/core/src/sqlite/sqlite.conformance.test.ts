import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, it } from "vitest";
import type { EventLog } from "../log/port.ts";
import { logConformance } from "../testing/index.ts";
import { openSqliteLog, openSqliteReader } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-"));
afterAll(() => rmSync(folder, { recursive: true }));

const files = new Map<EventLog, string>();
const fileOf = (log: EventLog): string => files.get(log) ?? "";

logConformance({
  name: "SQLite",
  test: { describe, it },
  open() {
    const file = join(folder, `${files.size}.db`);
    const log = openSqliteLog(file);
    files.set(log, file);
    return log;
  },
  openAgain: (log) => openSqliteLog(fileOf(log)),
  openReader: (log) => openSqliteReader(fileOf(log)),
});
