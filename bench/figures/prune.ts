import { join } from "node:path";
import type { Window } from "@palimpsest/core";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { Figure, Result } from "../figure.ts";
import { countResult } from "../figure.ts";
import { median, timed } from "../measure.ts";
import { fill } from "../workload.ts";

const REPEATS = 9;
const PRUNER = "host/pruner";
const COMMITTER = "host/committer";

/** A proposal of very many spans, judged and carried out in one append. */
export const settlement: Figure = {
  name: "settlement",
  async measure(folder) {
    const [spans, candidates] = [10_000, 5_000];
    const times = await repeated(folder, spans, async (window) => {
      const ids = Array.from({ length: candidates }, (_, i) => `s${i + 1}`);
      await window.execute({
        command: "proposePruning",
        proposalId: "p",
        candidates: ids,
        by: PRUNER,
      });
      return timed(async () => {
        const settle = { command: "settlePruning", proposalId: "p", by: COMMITTER } as const;
        const answer = await window.execute(settle);
        if (answer.outcome === "accepted") return;
        throw new Error("the settlement was refused");
      });
    });
    return ms("settlement", times, 100, `${candidates} candidates among ${spans} live spans`);
  },
};

/** From the active rule's picks to the append, of a session that has outgrown its window. */
export const pruning: Figure = {
  name: "pruning",
  async measure(folder) {
    const times = await repeated(folder, 1_328, (window) =>
      timed(async () => {
        const answer = await window.prune({ targetTokens: 60_000 });
        if (answer.outcome !== "accepted") throw new Error("nothing was pruned");
      }),
    );
    return ms("pruning", times, 1_000, "340,000 tokens to 60,000, proposal and settlement");
  },
};

/** Times, each measured on a new store with so many spans of 1 KiB in it. */
async function repeated(
  folder: string,
  spans: number,
  measure: (window: Window) => Promise<number>,
): Promise<number[]> {
  const times: number[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const log = openSqliteLog(join(folder, `${repeat}.db`));
    const window = await openWindow(log, "w", { principals: ["host/h", PRUNER, COMMITTER] });
    await fill(window, spans);
    times.push(await measure(window));
    await log.close();
  }
  return times.slice(1);
}

function ms(name: string, times: readonly number[], limit: number, note: string): Result {
  return countResult({ name, unit: "ms", value: median(times), limit, target: 1, note });
}
