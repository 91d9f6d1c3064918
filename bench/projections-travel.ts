import { join } from "node:path";
import { openSqliteReader } from "@palimpsest/core/sqlite";
import { seededRandom } from "@palimpsest/core/testing";
import type { Moment, TimeTravelOptions } from "@palimpsest/projections";
import { timeTravel } from "@palimpsest/projections";
import { openSqliteSnapshots } from "@palimpsest/projections/sqlite";
import type { Figure, Result } from "./figure.ts";
import { countResult } from "./figure.ts";
import { median, quantile } from "./measure.ts";
import { WINDOW, writeHistory } from "./projections-workload.ts";

const WARM_MILLISECONDS = 5;
const COLD_MILLISECONDS = 100;
const WARM = 500;
const COLD = 15;

/** Going to random revisions of a window with 3,000 events, as many as the peers' steps. */
export const timeTravelShort: Figure = travelFigure("time travel, 3,000 events", 3_000);
/** The same over 100,000 events, of which 2,000 spans are live at most. */
export const timeTravelLong: Figure = travelFigure("time travel, 100,000 events", 100_000);

function travelFigure(name: string, events: number): Figure {
  return {
    name,
    async measure(folder) {
      const file = join(folder, "log.db");
      const last = await writeHistory(file, events, { live: 2_000 });
      const snapshots = openSqliteSnapshots(join(folder, "snapshots.db"));
      const log = openSqliteReader(file);
      const open = (options: TimeTravelOptions = { snapshots }) => timeTravel(log, WINDOW, options);
      const travel = open();
      await travel.at(last);
      const random = seededRandom(events);
      const pick = () => random.below(last + 1);
      const state = (moment: Moment) => moment.budget.tokens;
      const window = async (moment: Moment) => (await moment.window()).view.spans.length;
      const visit = (look: (moment: Moment) => unknown) => (revision: number) =>
        took(async () => look(await travel.at(revision)));
      const warm = await series(WARM, pick, visit(state));
      const shown = await series(WARM / 3, pick, visit(window));
      const cold = await series(COLD, pick, (revision) =>
        took(async () => state(await open().at(revision))),
      );
      const results = [
        ms(`${name}, warm`, quantile(warm.times, 0.99), WARM_MILLISECONDS, `p99 of ${WARM}`),
        ms(`${name}, cold`, quantile(cold.times, 0.99), COLD_MILLISECONDS, `p99 of ${COLD} starts`),
        flatness(`${name}, late against early`, warm),
        ms(`${name}, warm with content`, quantile(shown.times, 0.99), undefined, "p99, all spans"),
      ];
      await log.close();
      snapshots.close();
      return results;
    },
  };
}

interface Series {
  readonly revisions: readonly number[];
  readonly times: readonly number[];
}

async function series(
  count: number,
  pick: () => number,
  visit: (revision: number) => Promise<number>,
): Promise<Series> {
  const [revisions, times]: [number[], number[]] = [[], []];
  for (let i = 0; i < count + 10; i += 1) {
    const revision = pick();
    const time = await visit(revision);
    if (i < 10) continue; // warms the code up
    revisions.push(revision);
    times.push(time);
  }
  return { revisions, times };
}

async function took(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function ms(name: string, value: number, limit: number, note: string): Result;
function ms(name: string, value: number, limit: undefined, note: string): Result;
function ms(name: string, value: number, limit: number | undefined, note: string): Result {
  const bounds = limit === undefined ? { limit: WARM_MILLISECONDS } : { limit, target: 1 };
  return countResult({ name, unit: "ms", value, ...bounds, note });
}

/** Median time to the later half of the revisions against that to the earlier half. */
function flatness(name: string, { revisions, times }: Series): Result {
  const middle = median(revisions);
  const half = (late: boolean) =>
    median(times.filter((_, i) => (revisions[i] ?? 0) >= middle === late));
  const note = "median to the later half of the revisions against the earlier half";
  return countResult({ name, unit: "ms", value: half(true), limit: half(false), target: 2, note });
}
