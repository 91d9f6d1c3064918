import type { EventLog, Json } from "@palimpsest/core";
import { createMemoryLog, eventId, openWindow, Window } from "@palimpsest/core";
import { startVerifier, verdictGate } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import { stores } from "../support/scenarios/stores.ts";
import { KEY } from "../support/verifier/bases.ts";
import { dataOf, eventsIn } from "../support/verifier/store.ts";

const by = "host/local";

/** A span whose digest is not that of its content, written past the library. */
const forged = {
  id: eventId("w", by, "forged", 0),
  type: "SpanAdmitted",
  data: {
    spanId: "x",
    origin: "user",
    kind: "text",
    content: "not what was said",
    tokens: 5,
    digest: "0".repeat(64),
  },
  metadata: {
    by,
    commandId: "forged",
    commandDigest: "0".repeat(64),
    index: 0,
    count: 1,
    at: "2026-01-01T00:00:00.000Z",
    schemaVersion: 1,
  },
};

/** A window with a gate, after these commands and a verdict that found something. */
async function violated(log: EventLog, commands: readonly Command[]): Promise<Window> {
  await openWindow(log, "w");
  const ungated = new Window(log, "w");
  for (const command of commands) {
    expect(await ungated.executeJson(command)).toMatchObject({ outcome: "accepted" });
  }
  await log.append("window-w", [forged], (await log.head("window-w")) ?? "no-stream");
  const running = startVerifier(log, { key: KEY, quietMs: 0, probesPerSecond: 0 });
  await running.idle();
  await running.stop();
  return new Window(log, "w", { gate: verdictGate(log, { keys: [KEY] }) });
}

type Command = { readonly command: string; readonly [field: string]: Json };

const HISTORY: readonly Command[] = [
  ...["s", "t"].map((spanId) => ({
    command: "admitSpan",
    spanId,
    origin: "user",
    content: spanId,
  })),
  { command: "evict", editId: "e", consumes: ["s"] },
  { command: "undo", editId: "e", as: "back" },
  { command: "redo", editId: "e", as: "again" },
  { command: "evict", editId: "f", consumes: ["t"] },
  { command: "undo", editId: "f", as: "f-back" },
];

const redo = (editId: string): Command => ({ command: "redo", editId });
const batch = (...commands: readonly Command[]): Command => ({ command: "batch", commands });

describe("the gate, after a violation", () => {
  it.each([
    ["an undo that is called a redo of the undo", redo("back")],
    ["one in a batch", batch(redo("f"), redo("back"))],
    ["one in a batch of a batch", batch(redo("f"), batch(redo("back")))],
    ["the undo of an undo", { command: "undo", editId: "f-back" }],
  ])("stops %s", async (_, command) => {
    const log = createMemoryLog();
    const window = await violated(log, HISTORY);
    const head = await log.head("window-w");
    const stopped = await verdictGate(log, { keys: [KEY] }).stops("w", command);
    expect(stopped).toMatchObject({ status: "violated" });
    expect(await window.executeJson(command)).toMatchObject({ outcome: "refused" });
    expect(await log.head("window-w")).toBe(head);
  });

  it.each([
    ["a redo", redo("f")],
    ["a redo in a batch", batch({ command: "markRead", spanIds: ["t"] }, redo("f"))],
  ])("lets %s pass", async (_, command) => {
    const log = createMemoryLog();
    const window = await violated(log, HISTORY);
    expect(await window.executeJson(command)).toMatchObject({ outcome: "accepted" });
    const events = await eventsIn(log, "window-w");
    expect(dataOf(events.at(-1))).toMatchObject({ verb: "redo", target: "f" });
  });

  it("lets a redo of an undo pass once a person has seen the verdict", async () => {
    const log = createMemoryLog();
    const window = await violated(log, HISTORY);
    await verdictGate(log, { keys: [KEY] }).acknowledge("w", "human/operator");
    expect(await window.executeJson(redo("back"))).toMatchObject({ outcome: "accepted" });
    expect(dataOf((await eventsIn(log, "window-w")).at(-1))).toMatchObject({ verb: "undo" });
  });
});

it.each(stores)(
  "a window with a gate refuses undo after a violation until a person has seen it: $name",
  async (store) => {
    const { log } = await store.open();
    const gate = verdictGate(log, { keys: [KEY] });
    const window = await openWindow(log, "w", { gate });
    await window.admit({ spanId: "s", origin: "user", content: "text" });
    await window.evict(["s"], { editId: "e" });
    await log.append("window-w", [forged], (await log.head("window-w")) ?? "no-stream");
    const running = startVerifier(log, { key: KEY, quietMs: 0, probesPerSecond: 0 });
    await running.idle();
    await running.stop();

    const head = await log.head("window-w");
    const refused = await window.execute({ command: "undo", editId: "e" });
    expect(refused).toMatchObject({
      outcome: "refused",
      refusals: [{ code: "permission-denied" }],
    });
    expect(await log.head("window-w")).toBe(head);
    expect((await window.admit({ origin: "user", content: "goes on" })).outcome).toBe("accepted");

    await gate.acknowledge("w", "human/operator");
    expect((await window.undo("e")).outcome).toBe("accepted");
    // A window without a gate asks nobody.
    const other = new Window(log, "w");
    expect((await other.redo("e")).outcome).toBe("accepted");
  },
);
