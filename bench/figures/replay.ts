import { join } from "node:path";
import { replay } from "@palimpsest/core";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import type { Figure } from "../figure.ts";
import { costResult } from "../figure.ts";
import { runInTurn, timed } from "../measure.ts";
import { readAndParse } from "../raw.ts";
import type { WrittenEvent } from "../workload.ts";
import { history } from "../workload.ts";

const EVENTS = 100_000;
const PAGE = 1_000;

/** From the file to the live window, against reading and parsing the same rows alone. */
export const coldReplay: Figure = {
  name: "cold replay",
  async measure(folder) {
    const file = join(folder, "ours.db");
    await writeHistory(file);
    const pairs = await runInTurn(
      () =>
        timed(async () => {
          const log = openSqliteReader(file);
          const state = await replay(log, "w");
          await log.close();
          if (state.liveCount !== EVENTS - 1) throw new Error("the replay lost spans");
        }),
      () =>
        timed(() => {
          if (readAndParse(file) !== EVENTS) throw new Error("the read lost rows");
        }),
      { warmUp: 1, pairs: 7 },
    );
    return costResult(pairs, {
      name: coldReplay.name,
      unit: "µs",
      per: EVENTS,
      target: 2,
      note: "100,000 events of 1 KiB from a file to the window's state, against read + JSON.parse",
    });
  },
};

async function writeHistory(file: string): Promise<void> {
  const log = openSqliteLog(file);
  let page: WrittenEvent[] = [];
  for (const event of history("w", EVENTS - 1)) {
    page.push(event);
    if (page.length < PAGE && event.revision < EVENTS - 1) continue;
    await log.append("window-w", page, "any");
    page = [];
  }
  await log.close();
}
