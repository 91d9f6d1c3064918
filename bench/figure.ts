import type { Pairs } from "./measure.ts";
import { median, quantile } from "./measure.ts";

/** A row of the result; exactly these fields are what `--json` prints. */
export interface Row {
  readonly name: string;
  /** Ours, in `unit`; null when it could not be measured. */
  readonly value: number | null;
  readonly unit: string;
  /** The other side of the ratio in the same unit: what the machine, or the peer, needs for it. */
  readonly limit: number | null;
  readonly ratio: number | null;
  /** Null for a row that is for information only. */
  readonly target: number | null;
  /** Null where there is no target. */
  readonly meets: boolean | null;
}

/** A row with what the table says beside it. */
export interface Result {
  readonly row: Row;
  /** First and third quartile of the paired ratios; none for what is counted and not timed. */
  readonly spread?: readonly [number, number];
  /** Whether the ratio is to be at least (≥) or at most (≤) its target. */
  readonly sense: "≥" | "≤";
  readonly note?: string;
}

/** Something to measure. Its folder is empty, on a real disk, and removed afterwards. */
export interface Figure {
  readonly name: string;
  measure(folder: string): Promise<Result | readonly Result[]>;
}

export interface Comparison {
  readonly name: string;
  readonly unit: string;
  /** How many units of work one repetition did; the times are given per unit of work. */
  readonly per: number;
  readonly target?: number;
  readonly note?: string;
}

const SCALE: Readonly<Record<string, number>> = { ms: 1, µs: 1_000 };

/** Ratio = their time / ours: 1 is as fast as they are, and a target is a least speed. */
export function speedResult(pairs: Pairs, comparison: Comparison): Result {
  return timeResult(pairs, comparison, "≥");
}

/** Ratio = our time / theirs: 1 costs as much as theirs, and a target is a highest cost. */
export function costResult(pairs: Pairs, comparison: Comparison): Result {
  return timeResult(pairs, comparison, "≤");
}

function timeResult(
  { ours, theirs }: Pairs,
  { name, unit, per, target, note }: Comparison,
  sense: "≥" | "≤",
): Result {
  const [above, below] = sense === "≥" ? [theirs, ours] : [ours, theirs];
  const ratios = above.map((time, i) => time / (below[i] ?? Number.NaN));
  const scale = (SCALE[unit] ?? Number.NaN) / per;
  const row = rowOf({
    name,
    unit,
    value: median(ours) * scale,
    limit: median(theirs) * scale,
    ratio: median(ratios),
    sense,
    ...(target !== undefined && { target }),
  });
  const spread = [quantile(ratios, 0.25), quantile(ratios, 0.75)] as const;
  return { row, sense, spread, ...(note !== undefined && { note }) };
}

export interface Counted {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly limit: number;
  readonly target?: number;
  readonly note?: string;
}

/** A figure that is counted and not timed: ratio = value / limit, at most the target. */
export function countResult({ note, ...counted }: Counted): Result {
  const ratio = counted.value / counted.limit;
  const row = rowOf({ ...counted, ratio, sense: "≤" });
  return { row, sense: "≤", ...(note !== undefined && { note }) };
}

/** A row for something that could not be measured here, with the reason. */
export function missingResult(name: string, unit: string, reason: string): Result {
  const nothing = { value: null, limit: null, ratio: null, target: null, meets: null };
  return { row: { name, unit, ...nothing }, sense: "≤", note: `not measured: ${reason}` };
}

function rowOf(parts: {
  readonly name: string;
  readonly unit: string;
  readonly value: number;
  readonly limit: number;
  readonly ratio: number;
  readonly target?: number;
  readonly sense: "≥" | "≤";
}): Row {
  const { name, unit, target = null, sense } = parts;
  const ratio = rounded(parts.ratio);
  const meets = target === null ? null : sense === "≥" ? ratio >= target : ratio <= target;
  return {
    name,
    value: rounded(parts.value),
    unit,
    limit: rounded(parts.limit),
    ratio,
    target,
    meets,
  };
}

/** Four digits are more than the noise leaves. */
function rounded(value: number): number {
  return Number.isInteger(value) ? value : Number(value.toPrecision(4));
}
