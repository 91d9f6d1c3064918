/*
 * One side of a figure of the verifier in a process of its own, so that its memory is its own too:
 *
 *   check FILE   verifies the window `w` of the store
 *   read FILE    reads and parses every row of it
 *   follow FILE  runs the live verifier until it is told to stop
 */
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { newSecretKey, signerKey, startVerifier, verifyWindow } from "@palimpsest/verifier";
import { timed } from "./measure.ts";
import { readAndParse } from "./raw.ts";

/** What a worker says when it is done: milliseconds, and the most memory it had, in MiB. */
export interface WorkerResult {
  readonly ms: number;
  readonly mib: number;
}

const [, , mode, file = ""] = process.argv;

if (mode === "follow") await follow();
else process.send?.(await measured(mode === "check" ? check : () => readAndParse(file)));

async function check(): Promise<void> {
  const log = openSqliteReader(file);
  const { status, findings } = await verifyWindow(log, "w");
  await log.close();
  if (status !== "holds") throw new Error(`the store does not hold: ${JSON.stringify(findings)}`);
}

async function measured(work: () => unknown): Promise<WorkerResult> {
  const ms = await timed(work);
  return { ms, mib: process.resourceUsage().maxRSS / 1_024 };
}

async function follow(): Promise<void> {
  const log = openSqliteLog(file);
  const running = startVerifier(log, { key: signerKey("bench", newSecretKey()) });
  process.once("message", () => void running.stop());
  process.send?.("ready");
  await running.done;
  await log.close();
  process.disconnect();
}
