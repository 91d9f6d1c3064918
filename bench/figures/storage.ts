import { statSync } from "node:fs";
import { join } from "node:path";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import Database from "better-sqlite3";
import type { Figure } from "../figure.ts";
import { countResult } from "../figure.ts";
import { content, KIB } from "../workload.ts";

const STEPS = 3_000;

/** What lies on the disk for what was admitted, and where it goes. */
export const storage: Figure = {
  name: "storage",
  async measure(folder) {
    const file = join(folder, "ours.db");
    await admitSteps(file, STEPS);
    const { bytes, beside, unused } = layoutOf(file);
    const unit = "bytes";
    return [
      countResult({
        name: storage.name,
        unit,
        value: bytes,
        limit: STEPS * KIB,
        target: 1.6,
        note: "3,000 spans of 1 KiB, one append each, after a checkpoint, against their contents",
      }),
      countResult({
        name: "storage, beside the events",
        unit,
        value: beside,
        limit: bytes,
        note: "of it, pages of other tables and of indices",
      }),
      countResult({
        name: "storage, unused",
        unit,
        value: unused,
        limit: bytes,
        note: "of it, left over in pages, because a row that fits into one page is not split",
      }),
    ];
  },
};

/** Admits 1 KiB per append into a new store. */
export async function admitSteps(file: string, steps: number): Promise<void> {
  const log = openSqliteLog(file);
  const window = await openWindow(log, "w");
  for (let i = 0; i < steps; i += 1) await window.admit({ origin: "tool", content: content(i) });
  await log.close();
}

/** Bytes of an SQLite file and of what lies beside it, after a checkpoint. */
export function bytesOnDisk(file: string): number {
  const db = new Database(file);
  db.pragma("wal_checkpoint(TRUNCATE)");
  const sizes = [file, `${file}-wal`].map((name) => statSync(name).size);
  db.close();
  return sizes.reduce((sum, size) => sum + size, 0);
}

function layoutOf(file: string): { bytes: number; beside: number; unused: number } {
  const bytes = bytesOnDisk(file);
  const db = new Database(file, { readonly: true });
  const sum = (column: string, where = "1"): number =>
    Number(db.prepare(`SELECT sum(${column}) FROM dbstat WHERE ${where}`).pluck().get());
  const layout = { bytes, beside: sum("pgsize", "name <> 'chunks'"), unused: sum("unused") };
  db.close();
  return layout;
}
