import { join } from "node:path";
import { openSqliteReader } from "@palimpsest/core/sqlite";
import { seededRandom } from "@palimpsest/core/testing";
import { timeTravel } from "@palimpsest/projections";
import { openSqliteSnapshots } from "@palimpsest/projections/sqlite";
import type { Result } from "../figure.ts";
import { speedResult } from "../figure.ts";
import { runInTurn, timed } from "../measure.ts";
import type { Peer } from "../peers.ts";

/** A window and a graph with the same steps. */
export interface SameSteps {
  readonly ours: string;
  readonly theirs: string;
  readonly channel: "default" | "delta";
  readonly steps: number;
  readonly folder: string;
}

/** Visits of one repetition. */
const VISITS = 20;
const REPEATS = { warmUp: 1, pairs: 7 };

/** What we do for a visit; `getState` gives all contents and keeps nothing for the next call. */
const WAYS = [
  { way: "state", kept: true, contents: false, note: "marks and tokens of ours; a kept travel" },
  { way: "state, contents", kept: true, contents: true, note: "all contents; a kept travel" },
  { way: "state, cold", kept: false, contents: true, note: "all contents; a new travel each" },
];

/** The window after a random step, against `getState` of the checkpoint after that step. */
export async function travelResults(
  name: string,
  peer: Peer,
  { ours, theirs, channel, steps, folder }: SameSteps,
): Promise<Result[]> {
  const log = openSqliteReader(ours);
  const snapshots = openSqliteSnapshots(join(folder, "snapshots.db"));
  const open = () => timeTravel(log, "w", { snapshots });
  await open().at(steps);
  const travel = open();
  const random = seededRandom(steps);
  const results: Result[] = [];
  for (const { way, kept, contents, note } of WAYS) {
    let picks: readonly number[] = [];
    const visit = async (revision: number) => {
      const moment = await (kept ? travel : open()).at(revision);
      const count = contents ? (await moment.window()).spans.length : moment.budget.tokens / 256;
      if (count !== revision) throw new Error(`${count} spans after ${revision} steps`);
    };
    const pairs = await runInTurn(
      () =>
        timed(async () => {
          picks = Array.from({ length: VISITS }, () => random.below(steps + 1));
          for (const revision of picks) await visit(revision);
        }),
      () => peer.perform("langgraphStates", { file: theirs, channel, picks }),
      REPEATS,
    );
    const numeral = steps.toLocaleString("en");
    results.push(
      speedResult(pairs, {
        name: `${name}, ${way}`,
        unit: "ms",
        per: VISITS,
        note: `after any of ${numeral} steps of 1 KiB; ${note}`,
      }),
    );
  }
  snapshots.close();
  await log.close();
  return results;
}
