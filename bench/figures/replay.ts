import { join } from "node:path";
import { openWindow } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import type { SmallAppend } from "../../test/support/log/fill.ts";
import { fillStore } from "../../test/support/log/fill.ts";
import type { Figure } from "../figure.ts";
import { costResult } from "../figure.ts";
import { runInTurn, timed } from "../measure.ts";
import { readAndParse } from "../raw.ts";
import type { WrittenEvent } from "../workload.ts";
import { fill, history } from "../workload.ts";

const EVENTS = 100_000;

/** From the file to the live window, against reading and parsing the same rows alone. */
export const coldReplay = replayFigure({
  name: "cold replay",
  note: "100,000 events of 1 KiB from a file to the window's state, against read + JSON.parse",
  write: (file) => fillStore(file, appendsOf(history("w", EVENTS - 1))),
});

export const bulkReplay = replayFigure({
  name: "cold replay, of batches",
  note: "the same, admitted 1,000 at a time, so that a row holds eleven events",
  async write(file) {
    const log = openSqliteLog(file);
    await fill(await openWindow(log, "w"), EVENTS - 1);
    await log.close();
  },
});

interface ReplayFigure {
  readonly name: string;
  readonly note: string;
  /** Writes a window of 100,000 events. */
  write(file: string): Promise<void>;
}

function replayFigure({ write, ...comparison }: ReplayFigure): Figure {
  return {
    name: comparison.name,
    async measure(folder) {
      const file = join(folder, "ours.db");
      await write(file);
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
      return costResult(pairs, { ...comparison, unit: "µs", per: EVENTS, target: 2 });
    },
  };
}

function* appendsOf(events: Iterable<WrittenEvent>): Generator<SmallAppend> {
  for (const event of events) {
    yield { stream: "window-w", revision: event.revision, events: [event] };
  }
}
