// @ts-check
/*
 * One side of a figure of the verifier in a process of its own, so that its memory is its own too;
 * JavaScript, so that it runs what a user runs, without a loader for TypeScript.
 *
 *   check FILE   verifies the window `w` of the store
 *   read FILE    reads and parses every row of it
 *   follow FILE  runs the live verifier until it is told to stop
 */
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { newSecretKey, signerKey, startVerifier, verifyWindow } from "@palimpsest/verifier";

const [, , mode, file = ""] = process.argv;

if (mode === "follow") {
  await follow();
} else {
  const work = mode === "check" ? check : await reading();
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  process.send?.({ ms, mib: process.resourceUsage().maxRSS / 1_024 });
}

async function check() {
  const log = openSqliteReader(file);
  const { status, findings } = await verifyWindow(log, "w");
  await log.close();
  if (status !== "holds") throw new Error(`the store does not hold: ${JSON.stringify(findings)}`);
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
