import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { EventLog } from "@palimpsest/core";
import { Window } from "@palimpsest/core";
import { auditor } from "@palimpsest/verifier";
import { lastValueFrom, toArray } from "rxjs";
import { expect, it } from "vitest";
import { testFolder, withLog } from "../support/verifier/files.ts";
import { tinyWindows, writeTinyWindows } from "../support/verifier/tiny-windows.ts";

/* Far more windows than the verifier keeps in memory, and a process that is killed all the time. */

const WINDOWS = process.env.PALIMPSEST_LONG === undefined ? 2_000 : 20_000;
const KILLS = 6;
const program = fileURLToPath(new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url));

it(`says once what there is to say of ${WINDOWS} windows, killed ${KILLS} times`, {
  timeout: 1_000 * Math.max(240, WINDOWS / 10),
}, async () => {
  const folder = await testFolder();
  const file = join(folder, "store.db");
  await writeTinyWindows(file, WINDOWS);
  let killed = 0;
  for (let round = 0; round < KILLS; round += 1) {
    // Something new in some window each time, so that an old one comes back.
    await withLog(file, (log) => new Window(log, `w${7 * round + 1}`).admit(SPAN));
    const ms = 700 + round * 400 + Math.random() * 300;
    if ((await run(file, folder, ms)).signal === "SIGKILL") killed += 1;
  }
  expect(killed).toBeGreaterThan(2);
  expect(await run(file, folder)).toEqual({ code: 0, signal: null });
  const verdicts = await withLog(file, verdictsIn);
  expect(verdicts.filter(({ isValid }) => !isValid)).toEqual([]);
  const said = verdicts.map(({ window, verdict }) => {
    return `${window} ${verdict?.size} ${verdict?.probed} ${verdict?.status}`;
  });
  expect(new Set(said).size).toBe(said.length);
  const missed = lastWords().filter((words) => !said.includes(words));
  expect(missed).toEqual([]);
  // A restart has nothing to add.
  expect(await run(file, folder)).toEqual({ code: 0, signal: null });
  expect(await withLog(file, verdictsIn)).toHaveLength(verdicts.length);
});

const SPAN = { spanId: "more", origin: "tool", content: "more" } as const;

/** What the last verdict on each window says. */
function lastWords(): string[] {
  const touched = new Set(Array.from({ length: KILLS }, (_, round) => `w${7 * round + 1}`));
  return [...tinyWindows(WINDOWS)].map(([window, size]) => {
    const edits = size > 2 ? 1 : 0;
    return `${window} ${size + (touched.has(window) ? 1 : 0)} ${edits} holds`;
  });
}

function verdictsIn(log: EventLog) {
  return lastValueFrom(auditor(log, { once: true }).pipe(toArray()));
}

/** Runs the verifier until it has nothing left to say, or for so many milliseconds. */
async function run(file: string, folder: string, ms?: number) {
  const args = ["verifier", "--once", "--store", file, "--state", join(folder, "state")];
  const child = spawn(process.execPath, [program, ...args, "--rate", "20000"], { stdio: "ignore" });
  const timer = ms === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), ms);
  const [code, signal] = (await once(child, "close")) as [number | null, string | null];
  clearTimeout(timer);
  return { code, signal };
}
