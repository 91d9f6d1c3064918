/*
 * The main job, for a person to watch: a recorded session is imported into a window on the
 * embedded store, edited, undone and rewound, and every claim on the screen is read back from the
 * log. `npm start` runs it on the session that ships with the repository, `npm start -- FILE` on
 * your own. Exit code 0: all that was promised held; 1: something did not; 2: it could not run.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { claimFinder } from "@palimpsest/claims";
import type { EventLog } from "@palimpsest/core";
import { isLogError, Window, windowStream } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { nextCalls } from "./demo/next.ts";
import { Tour } from "./demo/tour.ts";
import { complain, say } from "./demo/words.ts";

const FOLDER = ".palimpsest";
const STORE = `${FOLDER}/demo.db`;
const shipped = fileURLToPath(new URL("../fixtures/session.jsonl", import.meta.url));
const cli = fileURLToPath(new URL("../packages/cli/bin/palimpsest.mjs", import.meta.url));

const USAGE = `usage: npm start [-- FILE]

Imports a recorded session into a window, edits it, takes edits back, rewinds and prunes, and
checks each step on the log. FILE is Claude Code JSONL, a Codex rollout or an OpenAI-style chat;
without it, the session that ships with Palimpsest is taken. Windows are kept in ${STORE}.`;

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!isOfTheStore(error)) throw error;
  complain(error.message);
  complain(
    `The tour keeps its windows in ${STORE}: move that away, or make it writable, and retry.`,
  );
  process.exitCode = 2;
}

async function main([argument, ...more]: readonly string[]): Promise<number> {
  if (argument === "--help" || argument === "-h") {
    say(USAGE);
    return 0;
  }
  if (argument?.startsWith("-") || more.length > 0) {
    complain(USAGE);
    return 2;
  }
  // npm runs scripts in the repository; a path is meant from where the user stands.
  const from = process.env.INIT_CWD ?? process.cwd();
  const file = argument === undefined ? shipped : resolve(from, argument);
  const id = await freeWindow();
  const at = ["--store", STORE, "--window", id];

  say(`1. Importing ${file === shipped ? "the session that ships with Palimpsest" : file}\n`);
  const imported = spawnSync(process.execPath, [cli, "import", file, ...at], { stdio: "inherit" });
  if (imported.status !== 0) return imported.status ?? 2;

  const log = openSqliteLog(STORE);
  try {
    return await show(log, id, at.join(" "));
  } finally {
    await log.close();
  }
}

async function show(log: EventLog, id: string, at: string): Promise<number> {
  const { spans, revision } = await replay(log, id);
  if (spans.size < 2) {
    const found = spans.size === 0 ? "no conversation" : "one span only";
    const left = spans.size === 0 ? "there is nothing to edit" : "too little to edit";
    say(`\nThis file holds ${found}: ${left}. Try another session.`);
    return 0;
  }
  const window = new Window(log, id, { finder: claimFinder() });
  const whole = await new Tour(window, log).run(revision);
  say("\nThe store stays for you to look at. These can be run as they stand, in this order,");
  say(`in ${process.cwd()}:\n`);
  for (const call of await nextCalls(window, log, revision)) say(`  npx palimpsest ${call} ${at}`);
  return whole ? 0 : 1;
}

/** The store keeps every run; each gets the first window id that is not in use. */
async function freeWindow(): Promise<string> {
  mkdirSync(FOLDER, { recursive: true });
  const store = openSqliteLog(STORE);
  try {
    let n = 1;
    while ((await store.head(windowStream(`demo-${n}`))) !== undefined) n += 1;
    return `demo-${n}`;
  } finally {
    await store.close();
  }
}

/** True for a store that cannot be used, and for a folder that cannot be made for it. */
function isOfTheStore(error: unknown): error is Error {
  return isLogError(error) || (error instanceof Error && "syscall" in error);
}
