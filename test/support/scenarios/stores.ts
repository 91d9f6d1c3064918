import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { onTestFinished } from "vitest";
import { eventStoreDbStore } from "../eventstoredb/store.ts";

/** A store that a scenario runs on. */
export interface TestStore {
  readonly log: EventLog;
  /** One more handle on the same store, as another process would have it. */
  reopen(): EventLog;
}

/** A kind of store; `open` gives an empty one that goes away with the test. */
export interface StoreKind {
  readonly name: string;
  open(): Promise<TestStore>;
}

export const memoryStore: StoreKind = {
  name: "memory",
  async open() {
    const log = createMemoryLog();
    return { log, reopen: () => log };
  },
};

export const sqliteStore: StoreKind = {
  name: "SQLite",
  async open() {
    const folder = await mkdtemp(join(tmpdir(), "palimpsest-scenario-"));
    const handles: EventLog[] = [];
    onTestFinished(async () => {
      for (const handle of handles) await handle.close();
      await rm(folder, { recursive: true, force: true });
    });
    const reopen = () => {
      const handle = openSqliteLog(join(folder, "store.db"));
      handles.push(handle);
      return handle;
    };
    return { log: reopen(), reopen };
  },
};

/** Every store that a scenario holds on, for `describe.each`. */
export const stores: readonly StoreKind[] = [memoryStore, sqliteStore, eventStoreDbStore];
