import { join } from "node:path";
import type { Json, Window } from "@palimpsest/core";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Figure } from "../figure.ts";
import { speedResult } from "../figure.ts";
import { runInTurn, timed } from "../measure.ts";
import { openRawStore, valuesOf } from "../raw.ts";
import type { WrittenEvent } from "../workload.ts";
import { admissions } from "../workload.ts";

const BATCH = 1_000;
const BATCHES = 5;

/** Spans of 1 KiB admitted a thousand at a time, from the JSON of the commands to the disk. */
export const bulkAdmission: Figure = {
  name: "bulk admission",
  async measure(folder) {
    const batches = Array.from({ length: BATCHES }, (_, i) => admissions(BATCH, i * BATCH));
    let repetition = 0;
    let events: readonly WrittenEvent[] = [];
    const pairs = await runInTurn(
      async () => {
        repetition += 1;
        const log = openSqliteLog(join(folder, `ours-${repetition}.db`));
        const window = await openWindow(log, "w");
        const time = await timed(() => admitAll(window, batches));
        if (events.length === 0) events = ((await window.history()) as WrittenEvent[]).slice(1);
        await log.close();
        return time;
      },
      async () => {
        const raw = openRawStore(join(folder, `raw-${repetition}.db`));
        const time = await timed(() => {
          for (let from = 0; from < events.length; from += BATCH) {
            raw.append(events.slice(from, from + BATCH).map(valuesOf));
          }
        });
        raw.close();
        return time;
      },
      { warmUp: 2, pairs: 9 },
    );
    return speedResult(pairs, {
      name: bulkAdmission.name,
      unit: "µs",
      per: BATCH * BATCHES,
      target: 0.5,
      note: "1 KiB spans, 1,000 a batch, against raw inserts that stringify the same events",
    });
  },
};

async function admitAll(window: Window, batches: readonly Json[][]): Promise<void> {
  for (const batch of batches) await window.batch(batch);
}
