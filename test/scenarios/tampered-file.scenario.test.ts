import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, it } from "vitest";
import { admit, evict, undo } from "../support/scenarios/commands.ts";

/* The private file of this test is damaged as somebody with a database tool would damage it. */

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-tampered-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Changes the stored events of a file from which the triggers were dropped. */
function tamper(file: string, sql: string): void {
  const db = new Database(file);
  db.exec(`DROP TRIGGER chunks_update; DROP TRIGGER chunks_delete; ${sql}`);
  db.close();
}

it.each([
  ["tampered content in the file", "UPDATE chunks SET data = replace(data, 'true', 'evil')"],
  ["lost content in the file", "UPDATE chunks SET data = '{}' WHERE data LIKE '%true%'"],
])("%s: undo and status say so", async (_, sql) => {
  const file = join(folder, "store.db");
  const before = openSqliteLog(file);
  const window = await openWindow(before, "w");
  await window.execute(admit("s1", { content: "a true text" }));
  await window.execute(admit("s2"));
  await window.execute(evict("e1", ["s1"]));
  tamper(file, sql);
  expect(await window.execute(undo("e1"))).toMatchObject({
    outcome: "refused",
    refusals: [{ code: "irreversible-edit", spanId: "s1", revision: 1 }],
  });
  expect(await window.status()).toMatchObject([{ recovery: "lost", word: "irreversible" }]);
  expect((await window.show()).rendered).not.toContain("evil");
  await before.close();
});

it("tampered content: a file without its triggers promises nothing any more", async () => {
  const file = join(folder, "store.db");
  const before = openSqliteLog(file);
  const window = await openWindow(before, "w");
  await window.execute(admit("s1"));
  await window.execute(evict("e1", ["s1"]));
  expect(await window.status()).toMatchObject([{ recovery: "proven", word: "reversible" }]);
  await before.close();
  tamper(file, "");
  const log = openSqliteLog(file);
  const after = await openWindow(log, "w");
  expect(await after.status()).toMatchObject([{ recovery: "proven", word: "provisional" }]);
  await log.close();
});
