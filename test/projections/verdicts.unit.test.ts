import type { EventLog, JsonObject } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import type { EditStatuses, LiveWindow } from "@palimpsest/projections";
import { editStatus, foldEditStatus, liveWindow } from "@palimpsest/projections";
import type { VerifierOptions } from "@palimpsest/verifier";
import { startVerifier, VERDICT_SCHEMA_VERSION, verdictEventSchemas } from "@palimpsest/verifier";
import { describe, expect, it, onTestFinished } from "vitest";
import { foreignEvents } from "../support/projections/foreign-writer.ts";
import { record, until } from "../support/projections/recorder.ts";
import { verdict } from "../support/projections/verdicts.ts";
import type { DamagedLog } from "../support/scenarios/damaged-log.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import { KEY } from "../support/verifier/bases.ts";
import { eventsIn } from "../support/verifier/store.ts";

/* What the real verifier says, as the projections show it. */

/** A window with two spans evicted, watched by both projections that read verdicts. */
async function watched() {
  const log = damagedLog(createMemoryLog(), "window-w");
  const window = await openWindow(log, "w");
  for (const spanId of ["a", "b", "c"]) {
    await window.admit({ spanId, origin: "user", content: `text of ${spanId}` });
  }
  await window.evict(["a"], { editId: "e1" });
  await window.evict(["b"], { editId: "e2" });
  const live = record(liveWindow(log, "w"));
  const status = record(editStatus(log, "w"));
  onTestFinished(() => {
    for (const { subscription } of [live, status]) subscription.unsubscribe();
  });
  const wait = (what: string, holds: (window: LiveWindow, edits: EditStatuses) => boolean) =>
    until(() => {
      const [window, edits] = [live.values.at(-1), status.values.at(-1)];
      return window !== undefined && edits !== undefined && holds(window, edits);
    }, what);
  await wait("the first values", () => true);
  return { log, window, live, status, wait };
}

async function verified(log: EventLog, more: Partial<VerifierOptions> = {}): Promise<void> {
  const running = startVerifier(log, { key: KEY, quietMs: 0, probesPerSecond: 1_000, ...more });
  await running.idle();
  await running.stop();
}

/** Another content for span a. */
async function damage(log: DamagedLog): Promise<void> {
  log.tamper(1, (data) => ({ ...data, content: "other words" }) satisfies JsonObject);
}

/** A span whose digest is not that of its content. */
async function forge(log: EventLog): Promise<void> {
  const span = { spanId: "x", origin: "tool", kind: "text", content: "x", tokens: 1 } as const;
  const data = { ...span, digest: "0".repeat(64) };
  await log.append("window-w", foreignEvents("forged", [{ type: "SpanAdmitted", data }]), "any");
}

const LATER_SCHEMA = { schemaVersion: VERDICT_SCHEMA_VERSION + 1 };

const lastSaid = async (log: EventLog) => (await eventsIn(log, "verdict-w")).at(-1);

const shown = (edits: EditStatuses | undefined) =>
  edits?.edits.map(({ recovery, word }) => [recovery, word]);

describe("a verdict of the real verifier", () => {
  it("that holds proves the edits and the revisions that it covers, and no later ones", async () => {
    const { log, window, live, status, wait } = await watched();
    expect(live.values.at(-1)?.verified).toBe(null);
    expect(shown(status.values.at(-1))).toEqual([
      ["unknown", "unknown"],
      ["unknown", "unknown"],
    ]);
    await verified(log);
    await wait("the verdict", ({ verified }) => verified === 7);
    expect(live.values.at(-1)?.ledger.verified).toBe(7);
    await window.evict(["c"], { editId: "e3" });
    await wait("the edit", ({ revision }, { edits }) => revision === 9 && edits.length === 3);
    expect(live.values.at(-1)?.verified).toBe(7);
    expect(shown(status.values.at(-1))).toEqual([
      ["proven", "reversible"],
      ["proven", "reversible"],
      ["unknown", "unknown"],
    ]);
    const beside = { verdicts: await eventsIn(log, "verdict-w"), guarantees: log.guarantees };
    const folded = foldEditStatus(await window.history(), beside);
    expect(folded.edits).toEqual(status.values.at(-1)?.edits);
  });

  it("that is incomplete proves nothing by itself; its probes do, one edit at a time", async () => {
    const { log, status, wait } = await watched();
    await verified(log, { probesPerSecond: 0 });
    const types = (await eventsIn(log, "verdict-w")).map(({ type }) => type);
    expect(types).toEqual(["VerdictIssued"]);
    await wait("the verdict", (_, { edits }) => edits.length === 2);
    expect(shown(status.values.at(-1))?.map(([recovery]) => recovery)).toEqual([
      "unknown",
      "unknown",
    ]);
    const probe = { editId: "e2", revision: 7, outcome: "proven" } as const;
    expect(verdictEventSchemas.EditProbed.safeParse(probe).success).toBe(true);
    await log.append("verdict-w", [verdict("EditProbed", probe)], "any");
    await wait("the probe", (_, { edits }) => edits[1]?.recovery === "proven");
    expect(shown(status.values.at(-1))?.map(([, word]) => word)).toEqual(["unknown", "reversible"]);
  });

  it("that found content lost makes that edit irreversible, and no other", async () => {
    const { log, live, status, wait } = await watched();
    await damage(log);
    await verified(log);
    expect((await lastSaid(log))?.data).toMatchObject({ status: "violated", probed: 1 });
    await wait("the probes", (_, { edits }) => edits[1]?.recovery === "proven");
    expect(live.values.at(-1)?.verified).toBe(null);
    expect(shown(status.values.at(-1))).toEqual([
      ["lost", "irreversible"],
      ["proven", "reversible"],
    ]);
  });

  it.each([
    ["content that was changed since", damage],
    ["an event that breaks a rule", forge],
  ])("that found %s covers nothing any more", async (_name, breaks) => {
    const { log, live, status, wait } = await watched();
    await verified(log);
    await wait("the first verdict", ({ verified }) => verified === 7);
    await breaks(log);
    await verified(log);
    await wait("the second verdict", ({ verified }) => verified === null);
    expect((await lastSaid(log))?.data).toMatchObject({ status: "violated" });
    expect(live.values.at(-1)?.ledger.verified).toBe(null);
    expect(shown(status.values.at(-1))).toEqual([
      ["unknown", "unknown"],
      ["unknown", "unknown"],
    ]);
  });

  it("of a later schema is believed in what is bad, and in nothing that is good", async () => {
    const { log, window, live, status, wait } = await watched();
    await verified(log);
    await wait("the verdict", ({ verified }) => verified === 7);
    const [head, real] = [await log.head("verdict-w"), await lastSaid(log)];
    const say = (type: string, data: JsonObject) =>
      log.append(
        "verdict-w",
        [{ id: crypto.randomUUID(), type, data, metadata: LATER_SCHEMA }],
        "any",
      );
    await say("VerdictIssued", { ...(real?.data as JsonObject), status: "violated", later: [1] });
    await wait("the bad news", ({ verified }) => verified === null);
    await say("VerdictIssued", { ...(real?.data as JsonObject), later: [1] });
    await say("EditProbed", { editId: "e1", revision: 5, outcome: "proven" });
    await say("EditProbed", { editId: "e2", revision: 7, outcome: "lost" });
    await say("SomethingLater", { editId: "e1" });
    await wait("the rest", (_, { edits }) => edits[1]?.recovery === "lost");
    expect(await log.head("verdict-w")).toBe((head ?? 0) + 5);
    expect(live.values.at(-1)?.verified).toBe(null);
    expect(shown(status.values.at(-1))).toEqual([
      ["unknown", "unknown"],
      ["lost", "irreversible"],
    ]);
    await window.evict(["c"], { editId: "e3" });
    await wait("the edit after it", (_, { edits }) => edits.length === 3);
  });
});
