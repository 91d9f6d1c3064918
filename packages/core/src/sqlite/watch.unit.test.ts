import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, it, vi } from "vitest";
import { watchStore } from "./watch.ts";

const folder = mkdtempSync(join(tmpdir(), "palimpsest-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** A store whose version the test sets, and whose looks it counts. */
function watched(name: string) {
  const file = join(folder, name);
  const store = { file, version: 1, looks: 0, changes: 0 };
  const stop = watchStore({
    file,
    dataVersion: () => {
      store.looks++;
      return store.version;
    },
    onChange: () => {
      store.changes++;
    },
  });
  return { store, stop };
}

it("does not look at the store while nothing happens", async () => {
  const { store, stop } = watched("idle.db");
  await sleep(400);
  stop();
  expect(store.looks).toBeLessThanOrEqual(2);
  expect(store.changes).toBe(0);
});

it("tells a change once the commit can be seen, some time after the file event", async () => {
  const { store, stop } = watched("late.db");
  writeFileSync(`${store.file}-wal`, "touched");
  await sleep(20);
  store.version = 2;
  await vi.waitFor(() => expect(store.changes).toBe(1));
  stop();
});

it("stops looking some time after the last file event", async () => {
  const { store, stop } = watched("touched.db");
  for (let touch = 0; touch < 50; touch++) writeFileSync(`${store.file}-wal`, String(touch));
  await vi.waitFor(() => expect(store.looks).toBeGreaterThan(10), 5_000);
  // One more in 300 ms is the look that comes every second, without any file event.
  await vi.waitFor(async () => {
    const before = store.looks;
    await sleep(300);
    expect(store.looks - before).toBeLessThanOrEqual(1);
  }, 20_000);
  expect(store.looks).toBeLessThan(80);
  stop();
});

it("does not look for other files of the folder", async () => {
  const { store, stop } = watched("mine.db");
  writeFileSync(join(folder, "other.db-wal"), "touched");
  await sleep(100);
  stop();
  expect(store.looks).toBeLessThanOrEqual(2);
});

it("notices a change without any file event, if later", async () => {
  const { store, stop } = watched("silent.db");
  store.version = 2;
  await vi.waitFor(() => expect(store.changes).toBe(1), 10_000);
  stop();
});

it("polls where the folder cannot be watched", async () => {
  const { store, stop } = watched("missing/store.db");
  store.version = 2;
  await vi.waitFor(() => expect(store.changes).toBe(1), 10_000);
  stop();
});

it("is silent once it was stopped", async () => {
  const { store, stop } = watched("stopped.db");
  stop();
  const { looks } = store;
  store.version = 2;
  writeFileSync(`${store.file}-wal`, "touched");
  await sleep(100);
  expect(store).toMatchObject({ looks, changes: 0 });
});
