import type { Answer } from "@palimpsest/core";
import { eventId, openWindow, Window } from "@palimpsest/core";
import { startVerifier, verdictGate } from "@palimpsest/verifier";
import { expect, it } from "vitest";
import { stores } from "../support/scenarios/stores.ts";
import { KEY } from "../support/verifier/bases.ts";

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
    const refused = (await window.execute({ command: "undo", editId: "e" })) as Answer;
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
