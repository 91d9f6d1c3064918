import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { Json } from "../json/json.ts";
import { createMemoryLog } from "../log/memory.ts";
import type { EventLog, EventToAppend } from "../log/port.ts";
import { Coverage } from "./coverage.ts";

const STREAM = "verdict-w";

function event(type: string, data: Json, schemaVersion = 1): EventToAppend {
  return { id: randomUUID(), type, data, metadata: { schemaVersion } };
}
const verdict = (status: string, size: Json, version?: number) =>
  event("VerdictIssued", { status, size }, version);
const probe = () => event("EditProbed", { editId: "e1", outcome: "proven" });

/** A log that counts the events it is asked for. */
function counted(): { readonly log: EventLog; readonly read: () => number } {
  const log = createMemoryLog();
  let count = 0;
  const counting: EventLog = {
    ...log,
    async *read(stream, options) {
      for await (const page of log.read(stream, options)) {
        count += page.length;
        yield page;
      }
    },
  };
  return { log: counting, read: () => count };
}

/** What is covered after these events, read at once and read event by event. */
async function covered(events: readonly EventToAppend[]): Promise<number> {
  const { log } = counted();
  const following = new Coverage();
  let followed = await following.upToNow(log, "w");
  for (const one of events) {
    await log.append(STREAM, [one], "any");
    followed = await following.upToNow(log, "w");
  }
  expect(await new Coverage().upToNow(log, "w")).toBe(followed);
  return followed;
}

describe("what verdicts cover", () => {
  it.each<[string, EventToAppend[], number]>([
    ["nothing", [], 0],
    ["one that holds", [verdict("holds", 3)], 3],
    ["a later one", [verdict("holds", 3), verdict("holds", 5)], 5],
    ["a violation", [verdict("holds", 3), verdict("violated", 5)], 0],
    ["one after a violation", [verdict("violated", 5), verdict("holds", 6)], 6],
    ["one that is incomplete", [verdict("holds", 3), verdict("incomplete", 5)], 3],
    ["probes after it", [verdict("holds", 3), probe(), probe()], 3],
    ["good news of another version", [verdict("holds", 3), verdict("holds", 5, 2)], 3],
    ["bad news of another version", [verdict("holds", 3), verdict("violated", 5, 2)], 0],
    ["another event with its fields", [event("EditProbed", { status: "holds", size: 3 })], 0],
    ["no object", [event("VerdictIssued", null), event("VerdictIssued", [])], 0],
  ])("is known of %s", async (_, events, size) => {
    expect(await covered(events)).toBe(size);
  });

  it.each<Json>([-1, 1.5, "3", null, [3]])(
    "does not take %j for a number of events",
    async (size) => {
      expect(await covered([verdict("holds", 3), verdict("holds", size)])).toBe(3);
    },
  );

  it("is found at the end of a long stream without reading all of it, and then followed", async () => {
    const { log, read } = counted();
    const append = (events: EventToAppend[]) => log.append(STREAM, events, "any");
    await append(Array.from({ length: 5_000 }, (_, i) => verdict("holds", i)));
    await append(Array.from({ length: 20 }, probe));
    const coverage = new Coverage();
    expect(await coverage.upToNow(log, "w")).toBe(4_999);
    expect(read()).toBe(48);
    expect(await coverage.upToNow(log, "w")).toBe(4_999);
    expect(read()).toBe(48);
    await append([verdict("holds", 6_000)]);
    expect(await coverage.upToNow(log, "w")).toBe(6_000);
    expect(read()).toBe(49);
  });

  it("is read to the beginning where no verdict says it, and anew of a stream cut short", async () => {
    const { log, read } = counted();
    await log.append(STREAM, [verdict("holds", 3), ...Array.from({ length: 2_500 }, probe)], "any");
    const coverage = new Coverage();
    expect(await coverage.upToNow(log, "w")).toBe(3);
    expect(read()).toBe(2_501);
    const other = createMemoryLog();
    await other.append(STREAM, [probe()], "any");
    expect(await coverage.upToNow(other, "w")).toBe(0);
  });
});
