import { describe, expect, it } from "vitest";
import { LogError, WrongExpectedRevisionError } from "../log/errors.ts";
import { createMemoryLog } from "../log/memory.ts";
import type { EventLog } from "../log/port.ts";
import type { Waiting } from "./lost-race.ts";
import { openWindow } from "./open.ts";

/** Waits that are counted and take no time; each random number is the next of these. */
function countedWaiting(...draws: readonly number[]) {
  const waits: number[] = [];
  let drawn = 0;
  const waiting: Waiting = {
    sleep: async (milliseconds) => void waits.push(milliseconds),
    random: () => draws[drawn++ % draws.length] ?? 0,
  };
  return { waits, waiting };
}

type Failure = (stream: string) => LogError;

/** A log whose next appends fail, one after another, with what the given functions make. */
function failingLog() {
  const log = createMemoryLog();
  const failures: Failure[] = [];
  const failing: EventLog = {
    ...log,
    async append(stream, events, expected) {
      const failure = failures.shift();
      if (failure !== undefined) throw failure(stream);
      return log.append(stream, events, expected);
    },
  };
  return { failing, failures };
}

const lostRace: Failure = (stream) => new WrongExpectedRevisionError(stream, 0, 1);
const unknown: Failure = () => new LogError("outcome-unknown", "the connection was lost");

async function waitsFor(draws: readonly number[], next: readonly Failure[]) {
  const { failing, failures } = failingLog();
  const { waits, waiting } = countedWaiting(...draws);
  const window = await openWindow(failing, "w", { waiting });
  failures.push(...next);
  await window.admit({ spanId: "s", origin: "user", content: "hello" });
  expect(failures).toEqual([]);
  return waits;
}

describe("a command that another writer was quicker than", () => {
  it("is decided again after a pause that doubles up to its bound", async () => {
    const races = Array.from({ length: 8 }, () => lostRace);
    expect(await waitsFor([0.5], races)).toEqual([2, 4, 8, 16, 32, 50, 50, 50]);
  });

  it("draws every pause anew, from nothing to all of the bound", async () => {
    const races = Array.from({ length: 3 }, () => lostRace);
    expect(await waitsFor([0, 0.25, 0.75], races)).toEqual([0, 2, 12]);
  });

  it("does not wait when it wins at once, nor after an unknown outcome", async () => {
    expect(await waitsFor([0.5], [])).toEqual([]);
    expect(await waitsFor([0.5], [unknown, lostRace, unknown])).toEqual([2]);
  });

  it("begins with the shortest pause for each command", async () => {
    const { failing, failures } = failingLog();
    const { waits, waiting } = countedWaiting(0.5);
    const window = await openWindow(failing, "w", { waiting });
    for (const spanId of ["a", "b"]) {
      failures.push(lostRace, lostRace);
      await window.admit({ spanId, origin: "user", content: "hello" });
    }
    expect(waits).toEqual([2, 4, 2, 4]);
  });
});
