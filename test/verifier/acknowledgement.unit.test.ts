import { join } from "node:path";
import type { EventLog } from "@palimpsest/core";
import { eventId, openWindow, Window } from "@palimpsest/core";
import { memoryHeads, verdictGate, verifyWindow } from "@palimpsest/verifier";
import { expect, it } from "vitest";
import { sha256 } from "../support/sha256.ts";
import { KEY, PRINCIPALS, user, verdictOn } from "../support/verifier/bases.ts";
import { testFolder, withLog } from "../support/verifier/files.ts";
import { eventsIn } from "../support/verifier/store.ts";

/* Design §9: after a violation, undo and settlement wait until a person or the host has seen it. */

const UNDO = { command: "undo", editId: "e" };
const gateOn = (log: EventLog) => verdictGate(log, { keys: [KEY] });

/** A store file whose window `w` is violated, and what opens it as a new process would. */
async function violated() {
  const file = join(await testFolder(), "store.db");
  const heads = memoryHeads();
  const inProcess = <T>(task: (log: EventLog) => Promise<T>): Promise<T> => withLog(file, task);
  const damage = (id: string) =>
    inProcess(async (log) => {
      const odd = { id: eventId("w", "host/h", id, 0), type: id, data: {}, metadata: {} };
      await log.append("window-w", [odd], "any");
      await verdictOn(log, heads);
    });
  await inProcess(async (log) => {
    const window = await openWindow(log, "w", { principals: PRINCIPALS });
    await window.execute(user("s"));
    await window.evict(["s"], { editId: "e" });
  });
  await damage("Odd");
  return { inProcess, damage };
}

it("the block survives a restart, and so does its end; another violation blocks again", async () => {
  const { inProcess, damage } = await violated();
  const stopped = () => inProcess((log) => gateOn(log).stops("w", UNDO));
  expect(await stopped()).toMatchObject({ status: "violated" });
  expect(await stopped()).toMatchObject({ status: "violated" });
  await inProcess((log) => gateOn(log).acknowledge("w", "human/p"));
  expect(await stopped()).toBeUndefined();
  expect(await stopped()).toBeUndefined();
  await damage("Odder");
  expect(await stopped()).toMatchObject({ findingCount: 4 });
  await inProcess((log) => gateOn(log).acknowledge("w", "host/h"));
  expect(await stopped()).toBeUndefined();
});

it("the verdict stream says who acknowledged which verdict, and stays well formed", async () => {
  const { inProcess, damage } = await violated();
  const seen = await inProcess((log) => gateOn(log).acknowledge("w", "human/p"));
  expect(seen).toMatchObject({ status: "violated" });
  await damage("Odder");
  await inProcess(async (log) => {
    const said = await eventsIn(log, "verdict-w");
    expect(said.map(({ type }) => type)).toContain("VerdictAcknowledged");
    const event = said.find(({ type }) => type === "VerdictAcknowledged");
    expect(event).toMatchObject({ metadata: { by: "human/p" } });
    const { findings } = await verifyWindow(log, "w", { keys: [KEY] });
    expect(findings.filter(({ stream }) => stream === "verdict")).toEqual([]);
  });
});

it("the model's party acknowledges nothing, not even past the gate", async () => {
  const { inProcess } = await violated();
  await inProcess(async (log) => {
    const gate = gateOn(log);
    for (const by of ["model/m", "m", "verifier/v", "human/"]) {
      await expect(gate.acknowledge("w", by)).rejects.toThrow("may not");
    }
    await gate.acknowledge("w", "human/p");
  });
  const { inProcess: other } = await violated();
  // The very event that a person would leave, past the gate.
  await other(async (log) => {
    const last = await gateOn(log).stops("w", UNDO);
    const data = { verdict: sha256(last?.note ?? "") };
    const type = "VerdictAcknowledged";
    const appendBy = (by: string) => {
      const metadata = { by, at: "2026-01-01T00:00:00.000Z", schemaVersion: 1 };
      return log.append("verdict-w", [{ id: crypto.randomUUID(), type, data, metadata }], "any");
    };
    for (const by of ["model/m", "verifier/v", "model/human/p", "human/"]) {
      await appendBy(by);
      expect(await gateOn(log).stops("w", UNDO)).toMatchObject({ status: "violated" });
    }
    await appendBy("human/p");
    expect(await gateOn(log).stops("w", UNDO)).toBeUndefined();
  });
});

it("a forged verdict that all is well ends no block", async () => {
  const { inProcess } = await violated();
  await inProcess(async (log) => {
    const said = await eventsIn(log, "verdict-w");
    const last = said.at(-1);
    const data = { ...(last?.data as object), status: "holds", findings: [], findingCount: 0 };
    const forged = {
      id: crypto.randomUUID(),
      type: "VerdictIssued",
      data,
      metadata: last?.metadata,
    };
    await log.append("verdict-w", [forged as never], "any");
    expect(await gateOn(log).stops("w", UNDO)).toMatchObject({ status: "violated" });
  });
});

it("nobody acknowledges what came after they looked", async () => {
  const { inProcess, damage } = await violated();
  const seen = await inProcess((log) => gateOn(log).stops("w", UNDO));
  await damage("Odder");
  await inProcess(async (log) => {
    const gate = gateOn(log);
    await expect(gate.acknowledge("w", "human/p", seen)).rejects.toThrow("look at it first");
    expect(await gate.stops("w", UNDO)).toBeDefined();
  });
});

it("nothing is acknowledged where nothing stops, nor on a log that cannot be written", async () => {
  const { inProcess } = await violated();
  await inProcess(async (log) => {
    expect(await gateOn(log).acknowledge("other", "human/p")).toBeUndefined();
    const { append: _, ...reader } = log;
    await expect(verdictGate(reader).acknowledge("w", "human/p")).rejects.toThrow("written");
    await new Window(log, "w", { principals: PRINCIPALS }).execute(user("goes on"));
  });
});
