import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventLog, StoredEvent } from "@palimpsest/core";
import { createMemoryLog } from "@palimpsest/core";
import {
  auditor,
  memoryHeads,
  signerKey,
  startVerifier,
  verdictEventSchemas,
  verdictGate,
  verifyWindow,
} from "@palimpsest/verifier";
import { lastValueFrom, toArray } from "rxjs";
import { describe, expect, it } from "vitest";

/*
 * The verdict stream of the golden window, as a store gives it back: what a verifier with one key
 * and then with another said of it, its probes, and an acknowledgement. THESE FILES ARE NEVER
 * EDITED, as those of the window's own events are not: they are signed, and what was signed once
 * must be read and believed for ever. `Odd.json` is what somebody else wrote to the window.
 */

const OLD_KEY = signerKey("golden-verifier", new Uint8Array(32).fill(101));
const NEW_KEY = signerKey("golden-verifier", new Uint8Array(32).fill(102));

const verdicts = filesOf("verdicts/*.v1.json");

function filesOf(pattern: string): StoredEvent[] {
  return globSync(pattern, { cwd: import.meta.dirname })
    .map((file) => JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) as StoredEvent)
    .sort((a, b) => a.revision - b.revision);
}

async function goldenLog(): Promise<EventLog> {
  const log = createMemoryLog();
  const bare = ({ id, type, data, metadata }: StoredEvent) => ({ id, type, data, metadata });
  const window = [...filesOf("*.v1.json"), ...filesOf("verdicts/Odd.json")];
  await log.append("window-golden", window.map(bare), "no-stream");
  await log.append("verdict-golden", verdicts.map(bare), "no-stream");
  return log;
}

describe("the verdicts of version 1", () => {
  it("have a file for every type that is written, with every field of it", () => {
    const types = new Set(verdicts.map(({ type }) => type));
    expect([...types].sort()).toEqual(Object.keys(verdictEventSchemas).sort());
    for (const { type, data } of verdicts) {
      const schema = verdictEventSchemas[type as keyof typeof verdictEventSchemas];
      expect(schema.parse(data)).toEqual(data);
      expect(Object.keys(data as object).sort()).toEqual(Object.keys(schema.shape).sort());
    }
  });

  it("are signed as they were, from the first key to the second", async () => {
    const log = await goldenLog();
    const audit = auditor(log, { once: true, keys: [OLD_KEY], window: "golden" });
    const audited = await lastValueFrom(audit.pipe(toArray()));
    const issued = verdicts.filter(({ type }) => type === "VerdictIssued");
    expect(audited.map(({ verdict }) => verdict)).toEqual(issued.map(({ data }) => data));
    expect(audited.flatMap(({ problems }) => problems)).toEqual([]);
    expect(audited.every(({ isValid }) => isValid)).toBe(true);
  });

  it("are about the same tree, and were acknowledged", async () => {
    const log = await goldenLog();
    const report = await verifyWindow(log, "golden", { keys: [OLD_KEY] });
    expect(report).toMatchObject({
      size: 52,
      root: "8474cb09e4667e1804e64ab75a69b7be5f00c228cf9e0238c41fd0add2be5d75",
    });
    expect(report.findings.filter(({ stream }) => stream === "verdict")).toEqual([]);
    const gate = verdictGate(log, { keys: [OLD_KEY] });
    expect(await gate.stops("golden", { command: "undo", editId: "e1" })).toBeUndefined();
  });

  it("are gone on from by a verifier of today", async () => {
    const log = await goldenLog();
    const running = startVerifier(log, {
      key: NEW_KEY,
      retired: [OLD_KEY],
      heads: memoryHeads(),
      quietMs: 0,
    });
    const event = {
      id: "00000000-0000-4000-8000-000000000000",
      type: "Odd",
      data: {},
      metadata: {},
    };
    await log.append("window-golden", [event], 51);
    await running.idle();
    await running.stop();
    const audit = auditor(log, { once: true, keys: [OLD_KEY], window: "golden" });
    const last = (await lastValueFrom(audit.pipe(toArray()))).at(-1);
    expect(last).toMatchObject({ isValid: true, verdict: { size: 53 } });
  });
});
