import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { EventLog, StoredEvent } from "@palimpsest/core";
import { contentDigest, createMemoryLog, eventId, upcast, Window } from "@palimpsest/core";
import { metadataSchema, windowEventSchemas } from "@palimpsest/core/events";
import { describe, expect, it } from "vitest";

/*
 * One file for each kind of event that was ever stored, as a store gives it back: together they are
 * the stream of one window. THESE FILES ARE NEVER EDITED. A store holds such events for ever, so
 * a version that cannot read them cannot open an old store. What comes new gets files of its own;
 * a schema that changes gets an upcaster, and files of the new version beside the old ones.
 */

type EventType = keyof typeof windowEventSchemas;

interface Golden {
  readonly file: string;
  readonly event: StoredEvent;
}

const goldens: readonly Golden[] = globSync("*.v1.json", { cwd: import.meta.dirname })
  .map((file) => ({
    file,
    event: JSON.parse(readFileSync(join(import.meta.dirname, file), "utf8")) as StoredEvent,
  }))
  .sort((a, b) => a.event.revision - b.event.revision);

/** A log that holds the golden events as an old store would. */
async function goldenLog(): Promise<EventLog> {
  const log = createMemoryLog();
  const events = goldens.map(({ event: { id, type, data, metadata } }) => ({
    id,
    type,
    data,
    metadata,
  }));
  await log.append("window-golden", events, "no-stream");
  return log;
}

describe("the events of version 1", () => {
  it.each(goldens)("$file is read, and its fields are those of the schemas", ({ file, event }) => {
    const read = upcast(event);
    expect(file.split(".")[0]).toBe(read.type);
    expect(windowEventSchemas[read.type].parse(read.data)).toEqual(event.data);
    expect(metadataSchema.parse(read.metadata)).toEqual(event.metadata);
  });

  it.each(goldens)("$file has the id that its command gives it again", ({ event }) => {
    const { by, commandId, index } = metadataSchema.parse(event.metadata);
    expect(event.id).toBe(eventId("golden", by, commandId, index));
  });

  it("have a file for every type that is written, and every field of it in some file", () => {
    const types = new Set(goldens.map(({ event }) => event.type));
    expect([...types].sort()).toEqual(Object.keys(windowEventSchemas).sort());
    for (const type of types) {
      const files = goldens.filter(({ event }) => event.type === type);
      const fields = new Set(files.flatMap(({ event }) => Object.keys(event.data as object)));
      const known = Object.keys(windowEventSchemas[type as EventType].shape);
      expect([...fields].sort()).toEqual(known.sort());
    }
    const metadata = goldens.flatMap(({ event }) => Object.keys(event.metadata as object));
    expect([...new Set(metadata)].sort()).toEqual(Object.keys(metadataSchema.shape).sort());
  });

  it("are one window, as it was when they were written", async () => {
    const window = new Window(await goldenLog(), "golden");
    const view = await window.show();
    expect(view).toMatchObject({ revision: 50, tokens: 201, budget: 200_000, overBudget: false });
    expect(view.ledger).toMatchObject({ edits: 9, records: 9, outOfView: 2 });
    expect(view.spans.map(({ spanId, kind, content }) => [spanId, kind, content])).toEqual([
      ["s1", "tool-call", { path: "notes.txt" }],
      ["s2", "tool-result", "one\ntwo\nthree\r\n\u0000\u001b[0m\u202e é 😀"],
      ["s3", "text", "one\ntwo\nthree"],
      ["s4", "reasoning", null],
      ["g2", "text", "what is the budget?"],
      ["s48", "text", "a word"],
    ]);
  });

  it("hold the claims that they held", async () => {
    const window = new Window(await goldenLog(), "golden");
    const claims = await window.claims();
    expect(
      claims.map(({ claimId, standing, evidence, protected: kept, conflicts }) => [
        claimId,
        standing,
        evidence,
        kept,
        conflicts,
      ]),
    ).toEqual([
      ["k1", "verified", true, true, ["k2"]],
      ["k2", "verified", false, true, ["k1"]],
      ["k3", "retracted", false, false, []],
      ["d1", "verified", false, true, []],
      ["k4", "verified", true, true, []],
      ["k5", "retracted", false, false, []],
    ]);
  });

  it("hold the policies that they held, and the epochs that ran on them", async () => {
    const window = new Window(await goldenLog(), "golden");
    const policies = await window.policies();
    expect(
      policies.map(({ policyId, by, epoch, previous, epochs, active }) => [
        policyId,
        by,
        epoch,
        previous,
        epochs,
        active,
      ]),
    ).toEqual([
      ["p1", "model/m", 1, null, [3], true],
      ["p2", "model/m", 2, "p1", [], false],
    ]);
  });

  it("are worth what they were: every edit has its effect and its content", async () => {
    const window = new Window(await goldenLog(), "golden");
    const statuses = await window.status();
    expect(
      statuses.map(({ editId, verb, effect, recovery }) => [editId, verb, effect, recovery]),
    ).toEqual([
      ["e1", "rewrite", "undone", "proven"],
      ["e2", "rewrite", "undone", "proven"],
      ["e3", "rewrite", "undone", "proven"],
      ["e4", "evict", "undone", "proven"],
      ["e5", "undo", "stale", "proven"],
      ["e6", "redo", "undone", "proven"],
      ["e7", "rewind", "applied", "proven"],
      ["e8", "evict", "applied", "proven"],
      ["e9", "rewrite", "applied", "proven"],
    ]);
    await window.undo("e9");
    await window.undo("e8");
    await window.undo("e7");
    expect((await window.show()).spans.map(({ spanId }) => spanId)).toEqual([
      "s1",
      "s2",
      "s4",
      "r1",
      "s5",
      "g1",
      "g2",
      "g3",
    ]);
  });

  it("are rendered to the bytes that were recorded", async () => {
    const window = new Window(await goldenLog(), "golden");
    const digests = goldens.flatMap(({ event: { type, data } }) =>
      type === "WindowRendered" ? [data as { at: number; digest: string }] : [],
    );
    expect(digests).toHaveLength(3);
    for (const { at, digest } of digests) {
      expect(contentDigest((await window.show(at)).rendered)).toBe(digest);
    }
  });
});
