/*
 * A store of very many tiny windows, and the live verifier on it, killed again and again.
 *
 *   node bench/verifier-windows.ts [WINDOWS] [KILLS]     after `npm run build`
 *
 * PALIMPSEST_BENCH_FOLDER says where; its disk is synchronised twice for every verdict.
 *
 * Every tenth window holds an edit, so that there is something to probe, and an event is added to
 * one busy window all the time. Says how long it took, the most memory that the verifier had, and
 * whether every window has its verdict, and none twice.
 */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openWindow } from "@palimpsest/core";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { auditor } from "@palimpsest/verifier";
import { tinyWindows, writeTinyWindows } from "../test/support/verifier/tiny-windows.ts";

const windows = Number(process.argv[2] ?? 100_000);
const kills = Number(process.argv[3] ?? 5);
const BUSY = "busy";
const root = join(import.meta.dirname, "..");

interface Run {
  readonly killed: boolean;
  readonly seconds: number;
  readonly mib: number;
}

const cache = process.env.PALIMPSEST_BENCH_FOLDER ?? join(root, "node_modules", ".cache");
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, "palimpsest-windows-"));
try {
  await main(join(folder, "store.db"), join(folder, "state"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(file: string, state: string): Promise<void> {
  const built = await timed(() => writeTinyWindows(file, windows));
  say(`${windows} windows written in ${built.toFixed(1)} s`);
  const busy = keepBusy(file);
  const runs: Run[] = [];
  for (let round = 0; round < kills; round += 1) {
    // Some of them early, some of them late.
    const run = await verify(file, state, 2_000 + (round + 1) * Math.ceil(windows / 50));
    runs.push(run);
    say(`run ${round + 1}: ${run.killed ? "killed" : "ended"} after ${run.seconds.toFixed(1)} s`);
  }
  await busy.stop();
  const last = await verify(file, state, undefined);
  const again = await verify(file, state, undefined);
  const found = await audit(file);
  const all = [...runs, last, again];
  const seconds = all.reduce((sum, run) => sum + run.seconds, 0);
  say(JSON.stringify({ windows, kills, seconds: Math.round(seconds), ...found }));
  say(`most memory: ${Math.max(...all.map(({ mib }) => mib)).toFixed(0)} MiB`);
  say(`a restart that finds nothing to say: ${again.seconds.toFixed(1)} s`);
}

/** Runs the command as a user does; kills it after so many milliseconds. */
async function verify(file: string, state: string, ms: number | undefined): Promise<Run> {
  const program = join(root, "packages/cli/bin/palimpsest.mjs");
  const args = ["verifier", "--once", "--store", file, "--state", state, "--rate", "20000"];
  const start = performance.now();
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  let mib = 0;
  const watch = setInterval(() => {
    mib = Math.max(mib, memoryOf(child));
  }, 200);
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), ms);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  clearInterval(watch);
  if (signal === null && code !== 0) throw new Error(`the verifier ended with ${code}`);
  return { killed: signal !== null, seconds: (performance.now() - start) / 1_000, mib };
}

/** The most resident memory of a process so far, in MiB; 0 where the system does not say. */
function memoryOf({ pid }: ChildProcess): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Number(/VmHWM:\s*(\d+) kB/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

/** Every verdict of the store, checked as an auditor does. */
async function audit(file: string) {
  const log = openSqliteReader(file);
  const said = new Map<string, string>();
  const found = { verdicts: 0, invalid: 0, doubled: 0, missed: 0, violated: 0 };
  await new Promise<void>((resolve, reject) => {
    auditor(log, { once: true }).subscribe({
      next({ window, verdict, isValid }) {
        found.verdicts += 1;
        if (!isValid) found.invalid += 1;
        const text = `${verdict?.size} ${verdict?.status} ${verdict?.probed}`;
        if (said.get(window) === text) found.doubled += 1;
        if (verdict?.status === "violated") found.violated += 1;
        said.set(window, text);
      },
      error: reject,
      complete: resolve,
    });
  });
  for (const [window, size] of tinyWindows(windows)) {
    if (said.get(window) !== `${size} holds ${size > 2 ? 1 : 0}`) found.missed += 1;
  }
  const head = await log.head(`window-${BUSY}`);
  if (said.get(BUSY) !== `${(head ?? -1) + 1} holds 0`) found.missed += 1;
  await log.close();
  return found;
}

/** A window that always waits for its verdict: something happens in it every 50 ms. */
function keepBusy(file: string) {
  let isOver = false;
  const work = (async () => {
    const log = openSqliteLog(file);
    const window = await openWindow(log, BUSY);
    for (let i = 0; !isOver; i += 1) {
      await window.admit({ origin: "tool", content: `event ${i}` });
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await log.close();
  })();
  return {
    stop: () => {
      isOver = true;
      return work;
    },
  };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
