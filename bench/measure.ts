import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/** One side of a comparison: sets up, does its work once, and resolves with milliseconds of it. */
export type Side = () => number | Promise<number>;

/** Two sides that were run in turn, A B A B …, and what each took. */
export interface Pairs {
  /** Milliseconds; `ours[i]` and `theirs[i]` ran one right after the other. */
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
}

export interface Repeats {
  /** Pairs that are run first and thrown away. */
  readonly warmUp: number;
  readonly pairs: number;
}

/**
 * Runs the two sides in turn. What slows the machine down for a while slows both sides of a pair
 * down, so that their ratio says more than either time does.
 */
export async function runInTurn(ours: Side, theirs: Side, repeats: Repeats): Promise<Pairs> {
  const pairs = { ours: [] as number[], theirs: [] as number[] };
  for (let i = 0; i < repeats.warmUp + repeats.pairs; i += 1) {
    const measured = i >= repeats.warmUp;
    for (const [side, times] of [
      [ours, pairs.ours],
      [theirs, pairs.theirs],
    ] as const) {
      collectGarbage();
      const time = await side();
      if (measured) times.push(time);
    }
  }
  return pairs;
}

/** Milliseconds that `work` takes. */
export async function timed(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * Milliseconds of processor time that `work` takes, for work that waits for nothing: on a machine
 * with other things to do, the clock also counts those.
 */
export function processorTime(work: () => unknown): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

/** The value below which the part `share` (0 to 1) of the sorted values lies, interpolated. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)] ?? Number.NaN;
  const above = sorted[Math.ceil(place)] ?? Number.NaN;
  return below + (above - below) * (place - Math.floor(place));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** What one side left behind must not be collected in the other one's time. */
const collectGarbage: () => void = (() => {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc");
})();
