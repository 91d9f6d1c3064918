import { join } from "node:path";
import { replay } from "@palimpsest/core";
import { openSqliteReader } from "@palimpsest/core/sqlite";
import type { SmallAppend } from "../../test/support/log/fill.ts";
import { fillStore } from "../../test/support/log/fill.ts";
import type { Figure } from "../figure.ts";
import { costResult } from "../figure.ts";
import { runInTurn, timed } from "../measure.ts";
import { readAndParse } from "../raw.ts";
import type { WrittenEvent } from "../workload.ts";
import { history } from "../workload.ts";

const EVENTS = 100_000;

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

/** As the library writes it: every span was admitted by an append of its own. */
async function writeHistory(file: string): Promise<void> {
  await fillStore(file, appendsOf(history("w", EVENTS - 1)));
}

function* appendsOf(events: Iterable<WrittenEvent>): Generator<SmallAppend> {
  for (const event of events) {
    yield { stream: "window-w", revision: event.revision, events: [event] };
  }
}
