/*
 * The main job, for a person to watch: a recorded session is imported into a window on the
 * embedded store, edited, undone and rewound, and every claim on the screen is read back from the
 * log. `npm start` runs it on the session that ships with the repository, `npm start -- FILE` on
 * your own.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { openWindow, windowStream } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import { Tour } from "./demo/tour.ts";

const STORE = ".palimpsest/demo.db";
const shipped = fileURLToPath(new URL("../fixtures/session.jsonl", import.meta.url));
const cli = fileURLToPath(new URL("../packages/cli/bin/palimpsest.mjs", import.meta.url));

// npm runs scripts in the repository; a path is meant from where the user stands.
const from = process.env.INIT_CWD ?? process.cwd();
const file = process.argv[2] === undefined ? shipped : resolve(from, process.argv[2]);
const window = await freeWindow();
const at = ["--store", STORE, "--window", window];

console.log(`1. Importing ${file === shipped ? "the session that ships with Palimpsest" : file}\n`);
const imported = spawnSync(process.execPath, [cli, "import", file, ...at], { stdio: "inherit" });
if (imported.status !== 0) process.exit(imported.status ?? 2);

const log = openSqliteLog(STORE);
const whole = await new Tour(await openWindow(log, window), log).run();
await log.close();

console.log(`
The store stays for you to look at:

  npx palimpsest show    ${at.join(" ")}
  npx palimpsest status  ${at.join(" ")}
  npx palimpsest history ${at.join(" ")}
  npx palimpsest verify  ${at.join(" ")}
  npx palimpsest undo EDIT ${at.join(" ")} --plan
  npx palimpsest rewind REVISION ${at.join(" ")} --plan
`);
process.exitCode = whole ? 0 : 1;

/** The store keeps every run; each gets the first window id that is not in use. */
async function freeWindow(): Promise<string> {
  mkdirSync(".palimpsest", { recursive: true });
  const store = openSqliteLog(STORE);
  let n = 1;
  while ((await store.head(windowStream(`demo-${n}`))) !== undefined) n += 1;
  await store.close();
  return `demo-${n}`;
}
