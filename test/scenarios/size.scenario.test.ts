import { randomBytes } from "node:crypto";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openWindow, Window } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { afterEach, beforeEach, expect, it } from "vitest";
import { batch } from "../support/scenarios/commands.ts";

const STEPS = 3_000;
const STEP_BYTES = 1_000;
/** Most bytes on disk for each byte of content: of steps alone, and with many edits beside them. */
const STEPS_ALONE = 1.6;
const WITH_EDITS = 2;

let folder = "";
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-size-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const step = (n: number) => ({
  command: "admitSpan" as const,
  spanId: `s${n}`,
  origin: n % 2 === 0 ? ("user" as const) : ("tool" as const),
  content: randomBytes(STEP_BYTES / 2).toString("hex"),
});

it("checkpoints that explode: 3,000 steps of 1 KB stay near 3 MB", async () => {
  const file = join(folder, "store.db");
  const log = openSqliteLog(file);
  const window = await openWindow(log, "w");
  for (let n = 0; n < STEPS; n += 1) await window.execute(step(n));
  await log.close();
  expect((await stat(file)).size).toBeLessThan(STEPS * STEP_BYTES * STEPS_ALONE);
});

it("checkpoints that explode: edits, undos and rewinds copy no content", async () => {
  const file = join(folder, "store.db");
  const log = openSqliteLog(file);
  const window = await openWindow(log, "w");
  const ids: string[] = [];
  for (let n = 0; n < STEPS; n += 100) {
    const steps = Array.from({ length: 100 }, (_, i) => step(n + i));
    ids.push(...steps.map(({ spanId }) => spanId));
    await window.execute(batch(steps));
  }
  for (let n = 0; n < 100; n += 1) {
    const ten = ids.slice(n * 10, n * 10 + 10);
    await window.evict(ten, { editId: `cut${n}` });
    await window.recall(ten[0] ?? "", { as: `r${n}` });
    if (n % 2 === 0) await window.undo(`cut${n}`);
  }
  await window.rewind(STEPS, { as: "back" });
  await window.undo("back");
  await log.close();
  expect((await stat(file)).size).toBeLessThan(STEPS * STEP_BYTES * WITH_EDITS);

  const again = openSqliteLog(file);
  const view = await new Window(again, "w").show();
  expect(view.spans).toHaveLength(STEPS - 50 * 10 + 100);
  await again.close();
});
