import { join } from "node:path";
import { claimFinder } from "@palimpsest/claims";
import type { BatchItem, Window } from "@palimpsest/core";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Comparison, Figure } from "../figure.ts";
import { speedResult } from "../figure.ts";
import type { Pairs } from "../measure.ts";
import { runInTurn, timed } from "../measure.ts";
import type { RawStore } from "../raw.ts";
import { openRawStore, valuesOf } from "../raw.ts";
import type { WrittenEvent } from "../workload.ts";
import { admissions } from "../workload.ts";

const BATCH = 1_000;
const BATCHES = 5;

/** Spans of 1 KiB admitted a thousand at a time, from the JSON of the commands to the disk. */
export const bulkAdmission: Figure = {
  name: "bulk admission",
  async measure(folder) {
    const pairs = await measureBatches(folder, (window, commands) =>
      window.execute({ command: "batch", commands }),
    );
    const note = "1 KiB spans, 1,000 a batch, against raw inserts that stringify the same events";
    return speedResult(pairs, { ...comparison(bulkAdmission.name, note), target: 0.5 });
  },
};

/** The same, and every text is searched for claims, as `claimFinder` does. */
export const extractingAdmission: Figure = {
  name: "bulk admission, extracting",
  async measure(folder) {
    const pairs = await measureBatches(folder, (window, commands) => window.batch(commands));
    const note = "the same, and each text is searched for claims by claimFinder()";
    return speedResult(pairs, comparison(extractingAdmission.name, note));
  },
};

function comparison(name: string, note: string): Comparison {
  return { name, unit: "µs", per: BATCH * BATCHES, note };
}

type Admit = (window: Window, commands: readonly BatchItem[]) => Promise<unknown>;

async function measureBatches(folder: string, admit: Admit): Promise<Pairs> {
  const batches = Array.from({ length: BATCHES }, (_, i) => admissions(BATCH, i * BATCH));
  let repetition = 0;
  let events: readonly WrittenEvent[] = [];
  return runInTurn(
    async () => {
      repetition += 1;
      const log = openSqliteLog(join(folder, `ours-${repetition}.db`));
      const window = await openWindow(log, "w", { finder: claimFinder() });
      const time = await timed(async () => {
        for (const commands of batches) await admit(window, commands);
      });
      if (events.length === 0) events = ((await window.history()) as WrittenEvent[]).slice(1);
      await log.close();
      return time;
    },
    async () => {
      const raw = openRawStore(join(folder, `raw-${repetition}.db`));
      const time = await timed(() => insertAll(raw, events));
      raw.close();
      return time;
    },
    { warmUp: 2, pairs: 9 },
  );
}

function insertAll(raw: RawStore, events: readonly WrittenEvent[]): void {
  for (let from = 0; from < events.length; from += BATCH) {
    raw.append(events.slice(from, from + BATCH).map(valuesOf));
  }
}
