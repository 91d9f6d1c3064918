// @ts-check
/*
 * One side of a figure of the verifier in a process of its own, so that its memory is its own too;
 * JavaScript, so that it runs what a user runs, without a loader for TypeScript.
 *
 *   read FILE    reads and parses every row of the store
 *   follow FILE  runs the live verifier until it is told to stop
 */
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { newSecretKey, signerKey, startVerifier } from "@palimpsest/verifier";

const [, , mode, file = ""] = process.argv;

if (mode === "follow") {
  await follow();
} else {
  const work = await reading();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  process.send?.({ ms, mib: process.resourceUsage().maxRSS / 1_024 });
}

async function reading() {
  const { readAndParse } = await import("./raw.ts");
  return () => readAndParse(file);
}

async function follow() {
  const log = openSqliteLog(file);
  const running = startVerifier(log, { key: signerKey("bench", newSecretKey()) });
  process.once("message", () => void running.stop());
  process.send?.("ready");
  await running.done;
  await log.close();
  process.disconnect();
}
