import assert from "node:assert/strict";
import { isLogError } from "../log/errors.ts";
import type { AppendResult, EventLog, EventToAppend, ExpectedRevision } from "../log/port.ts";
import type { CaseContext, Cases } from "./cases.ts";
import { events, stored } from "./cases.ts";
import type { Fault } from "./faulty-log.ts";
import { faultyLog } from "./faulty-log.ts";
import { readAll } from "./whole-stream.ts";

export const faultCases: Cases = {
  "each write fails once before it took effect; its retry stores it once": async (context) => {
    for (const append of WRITES.keys()) await survives(context, [{ append, when: "before" }]);
  },

  "each write fails once after it took effect; its retry stores it once": async (context) => {
    for (const append of WRITES.keys()) await survives(context, [{ append, when: "after" }]);
  },

  "a write fails after it took effect, and so does its retry": async (context) => {
    for (const append of WRITES.keys()) {
      await survives(context, [
        { append, when: "after" },
        { append: append + 1, when: "before" },
        { append: append + 2, when: "after" },
      ]);
    }
  },
};

interface Write {
  readonly count: number;
  readonly expected: ExpectedRevision;
}

const WRITES: readonly Write[] = [
  { count: 1, expected: "no-stream" },
  { count: 2, expected: 0 },
  { count: 1, expected: "any" },
  { count: 40, expected: 3 },
  { count: 2, expected: "any" },
];

/** Runs all the writes on a log with these faults, retrying whatever has an unknown outcome. */
async function survives({ log, stream }: CaseContext, plan: readonly Fault[]): Promise<void> {
  const name = stream();
  const faulty = faultyLog(log, plan);
  const written: EventToAppend[] = [];
  for (const { count, expected } of WRITES) {
    const list = events(count, written.length);
    const result = await persist(faulty, name, list, expected);
    assert.equal(result.first, written.length);
    assert.equal(result.last, written.length + count - 1);
    written.push(...list);
  }
  assert.deepEqual(await readAll(log, name), stored(name, written));
}

async function persist(
  log: EventLog,
  stream: string,
  list: readonly EventToAppend[],
  expected: ExpectedRevision,
): Promise<AppendResult> {
  try {
    return await log.append(stream, list, expected);
  } catch (error) {
    if (!isLogError(error, "outcome-unknown")) throw error;
    return persist(log, stream, list, expected);
  }
}
