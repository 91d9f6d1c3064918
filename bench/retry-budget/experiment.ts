import type { Arm, Outcome } from "./arms.ts";
import { ARMS, HARDER_ARMS, runArm, TARGET_TOKENS } from "./arms.ts";
import { fillerPool } from "./filler.ts";
import type { Family } from "./passages.ts";
import { FAMILIES } from "./passages.ts";
import type { Task } from "./task.ts";
import { makeTask } from "./task.ts";

export interface ExperimentOptions {
  readonly tasks: number;
  readonly seed: number;
  /** Also the arms e and f. */
  readonly harder: boolean;
  /** Mean tokens of a tool output. */
  readonly outputTokens?: number;
  readonly targetTokens?: number;
  /** Told after every task. */
  readonly progress?: (done: number) => void;
}

/** One line of the report: a family (or all), a set of wordings (or both), an arm. */
export interface Row {
  readonly family: Family | "all";
  readonly wordings: "main" | "held-out" | "both";
  readonly arm: string;
  readonly tasks: number;
  readonly wrongConfident: number;
  /** Tasks in which the value is in view at all. */
  readonly finds: number;
  readonly unreasoned: number;
  readonly tokens: number;
  /** Against the same policy without the invariants, on the same tasks. */
  readonly tokensRatio: number;
  readonly ledgerTokens: number;
  readonly admitted: number;
}

interface Scored {
  readonly task: Task;
  readonly arm: Arm;
  readonly outcome: Outcome;
}

const POOL = 240;
const OUTPUT_TOKENS = 1_940;

/** Runs every task under every arm; the same seed gives the same rows. */
export async function runExperiment(options: ExperimentOptions): Promise<Row[]> {
  const { tasks, seed, harder, targetTokens = TARGET_TOKENS, progress } = options;
  const pool = fillerPool(seed, POOL, options.outputTokens ?? OUTPUT_TOKENS);
  const arms = harder ? [...ARMS, ...HARDER_ARMS] : ARMS;
  const scored: Scored[] = [];
  for (let index = 0; index < tasks; index += 1) {
    const task = makeTask({ seed, index }, pool);
    const early = makeTask({ seed, index, early: true }, pool);
    for (const arm of arms) {
      const posed = arm.keeping === "asserted-early" ? early : task;
      const outcome = await runArm(posed, arm, targetTokens);
      scored.push({ task: { ...posed, turns: [] }, arm, outcome });
    }
    progress?.(index + 1);
  }
  return rowsOf(scored, arms);
}

function rowsOf(scored: readonly Scored[], arms: readonly Arm[]): Row[] {
  const rows: Row[] = [];
  for (const wordings of ["both", "main", "held-out"] as const) {
    for (const family of ["all", ...FAMILIES] as const) {
      const some = scored.filter(
        ({ task }) =>
          (family === "all" || task.family === family) &&
          (wordings === "both" || task.heldOut === (wordings === "held-out")),
      );
      for (const arm of arms) rows.push(rowOf({ family, wordings }, arm, some));
    }
  }
  return rows.filter(({ tasks }) => tasks > 0);
}

function rowOf(of: Pick<Row, "family" | "wordings">, arm: Arm, scored: readonly Scored[]): Row {
  const ours = scored.filter((one) => one.arm.name === arm.name).map(({ outcome }) => outcome);
  const plain = scored
    .filter((one) => one.arm.policy === arm.policy && one.arm.keeping === "plain")
    .map(({ outcome }) => outcome);
  const retained = mean(ours.map((one) => one.retained));
  return {
    ...of,
    arm: arm.name,
    tasks: ours.length,
    wrongConfident: ours.filter((one) => one.wrongConfident).length,
    finds: ours.filter((one) => one.finds).length,
    unreasoned: ours.filter((one) => one.unreasoned).length,
    tokens: retained,
    tokensRatio: retained / mean(plain.map((one) => one.retained)),
    ledgerTokens: mean(ours.map((one) => one.ledgerTokens)),
    admitted: mean(ours.map((one) => one.admitted)),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length);
}
