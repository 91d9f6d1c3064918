import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoredEvent } from "@palimpsest/core";
import { openSqliteLog } from "@palimpsest/core/sqlite";
import type { SeededRandom } from "@palimpsest/core/testing";
import { checkWholeStream, seededRandom } from "@palimpsest/core/testing";
import { expect, it } from "vitest";
import { startChild } from "../support/log/children.ts";
import { temporaryFolder } from "../support/log/folder.ts";

const KILLS = process.env.PALIMPSEST_LONG ? 2_000 : 20;
const KILLS_PER_STORE = 25;
const STREAM = "window-a";

const folder = temporaryFolder();
const seed = Number(process.env.PALIMPSEST_SEED ?? Date.now() % 2 ** 32);

it(`a store survives ${KILLS} kills during its appends (PALIMPSEST_SEED=${seed})`, async () => {
  console.info(`PALIMPSEST_SEED=${seed}`);
  const acknowledged = await Promise.all([
    killOften(seededRandom(seed), KILLS / 2, "a"),
    killOften(seededRandom(seed + 1), KILLS / 2, "b"),
  ]);
  // Otherwise the kills all came before the first append, and nothing was tried.
  expect(acknowledged[0] + acknowledged[1]).toBeGreaterThan(KILLS);
}, 1_800_000);

/** Kills appenders on a few stores, one after another; gives the number of acknowledged appends. */
async function killOften(random: SeededRandom, kills: number, lane: string): Promise<number> {
  let total = 0;
  for (let kill = 0; kill < kills; ) {
    const file = join(folder, `${lane}-${kill}.db`);
    let next = 0;
    for (let round = 0; round < KILLS_PER_STORE && kill < kills; round++, kill++) {
      const acknowledged = await appendUntilKilled(file, next, random);
      const stored = await checkStore(file, acknowledged ?? next - 1);
      total += stored - next;
      next = stored;
    }
  }
  return total;
}

/** Gives the last append that the process said was stored; undefined when it said nothing. */
async function appendUntilKilled(
  file: string,
  first: number,
  random: SeededRandom,
): Promise<number | undefined> {
  const child = startChild("appender", [file, STREAM, String(first)]);
  let acknowledged: number | undefined;
  // One in eight dies while it starts, opens or creates the store.
  const early = random.below(8) === 0;
  const delay = random.next() * (early ? 150 : 40);
  const kill = async () => {
    await sleep(delay);
    child.process.kill("SIGKILL");
  };
  if (early) void kill();
  for await (const line of child.lines) {
    if (line !== "ready") acknowledged = Number(line);
    else if (!early) void kill();
  }
  await child.gone;
  expect(child.process.signalCode).toBe("SIGKILL");
  return acknowledged;
}

/** Checks the store as a whole; gives the number of the first append that is not in it. */
async function checkStore(file: string, acknowledged: number): Promise<number> {
  if (!existsSync(file)) {
    expect(acknowledged).toBe(-1);
    return 0;
  }
  const log = openSqliteLog(file);
  const appends = wholeAppends(await checkWholeStream(log, STREAM));
  await log.close();
  expect(appends).toEqual([...appends.keys()]);
  // What was acknowledged is there, and at most the one append that was under way besides.
  expect(appends.length).toBeGreaterThanOrEqual(acknowledged + 1);
  expect(appends.length).toBeLessThanOrEqual(acknowledged + 2);
  return appends.length;
}

/** The numbers of the appends, after checking that each of them is there from first to last. */
function wholeAppends(events: readonly StoredEvent[]): number[] {
  const numbers: number[] = [];
  for (let start = 0; start < events.length; ) {
    const { append } = Object(events[start]?.data);
    const { count } = Object(events[start]?.metadata);
    const own = events.slice(start, start + count);
    expect(own.map(({ data }) => Object(data).append)).toEqual(Array(count).fill(append));
    expect(own.map(({ metadata }) => Object(metadata).index)).toEqual([...Array(count).keys()]);
    numbers.push(append);
    start += count;
  }
  return numbers;
}
