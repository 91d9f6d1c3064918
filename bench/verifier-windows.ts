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
import type { EventToAppend, Json } from "@palimpsest/core";
import { contentDigest, eventId, openWindow, utf8Div4 } from "@palimpsest/core";
import { openSqliteLog, openSqliteReader } from "@palimpsest/core/sqlite";
import { auditor } from "@palimpsest/verifier";
import Database from "better-sqlite3";

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
  const built = await timed(() => build(file));
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
  for (const [window, size] of expected()) {
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

/** The windows and how many events they have. */
function* expected(): Generator<[window: string, size: number]> {
  for (let i = 0; i < windows; i += 1) yield [`w${i}`, i % 10 === 0 ? 4 : 2];
}

/**
 * Writes the rows as the store would have, in large transactions: an append of its own for each
 * window would take longer than all the rest.
 */
async function build(file: string): Promise<void> {
  await openSqliteLog(file).close();
  const db = new Database(file);
  db.pragma("synchronous = OFF");
  const addStream = db.prepare<[string]>("INSERT INTO streams (name) VALUES (?)");
  const addEvent = db.prepare<[number, number, Buffer, string, string, string]>(
    "INSERT INTO events (stream, revision, id, type, data, metadata) VALUES (?, ?, ?, ?, ?, ?)",
  );
  let inTransaction = 0;
  for (const [window, size] of expected()) {
    if (inTransaction === 0) db.exec("BEGIN");
    const stream = Number(addStream.run(`window-${window}`).lastInsertRowid);
    for (const [revision, { id, type, data, metadata }] of eventsOf(window, size).entries()) {
      const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
      addEvent.run(stream, revision, bytes, type, JSON.stringify(data), JSON.stringify(metadata));
    }
    inTransaction = (inTransaction + 1) % 1_000;
    if (inTransaction === 0) db.exec("COMMIT");
  }
  if (inTransaction > 0) db.exec("COMMIT");
  db.close();
}

/** Opened with a span, in one append; of four events, the span is evicted in another one. */
function eventsOf(window: string, size: number): EventToAppend[] {
  const text = `content of ${window}`;
  const digest = contentDigest(text);
  const span = { spanId: "s", origin: "tool", kind: "text", content: text };
  const edit = { editId: "e", ordinal: 1 };
  const opened: [string, Json][] = [
    ["WindowOpened", { window, tokenizer: utf8Div4.name }],
    ["SpanAdmitted", { ...span, tokens: utf8Div4.count(text), digest }],
  ];
  const evicted: [string, Json][] = [
    ["RecoveryRecorded", { ...edit, consumed: [{ spanId: "s", revision: 1, digest }] }],
    ["WindowEdited", { ...edit, verb: "evict" }],
  ];
  const appends = size > 2 ? [opened, evicted] : [opened];
  return appends.flatMap((events, at) =>
    events.map((event, index) => eventOf(window, at, event, index)),
  );
}

function eventOf(
  window: string,
  append: number,
  [type, data]: [string, Json],
  index: number,
): EventToAppend {
  const commandId = `c${append}`;
  const command = { commandId, commandDigest: contentDigest(commandId), index, count: 2 };
  const at = new Date(1_700_000_000_000).toISOString();
  const metadata = { by: "host/h", ...command, at, schemaVersion: 1 };
  return { id: eventId(window, "host/h", commandId, index), type, data, metadata };
}

async function timed(work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
