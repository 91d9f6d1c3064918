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

/** Types that are still being given their form; whoever brings their commands freezes them here. */
const notYetFrozen: readonly EventType[] = [
  "ClaimAsserted",
  "ClaimRetracted",
  "ConflictNoted",
  "SourceObserved",
  "PolicyAuthored",
  "EpochOpened",
  "PruningProposed",
  "PruningSettled",
];

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
    expect([...types, ...notYetFrozen].sort()).toEqual(Object.keys(windowEventSchemas).sort());
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
    expect(view).toMatchObject({ revision: 23, tokens: 18, budget: 200_000, overBudget: false });
    expect(view.ledger).toMatchObject({ edits: 7, records: 7, outOfView: 0 });
    expect(view.spans.map(({ spanId, kind, content }) => [spanId, kind, content])).toEqual([
      ["s1", "tool-call", { path: "notes.txt" }],
      ["s2", "tool-result", "one\ntwo\nthree\r\n\u0000\u001b[0m\u202e é 😀"],
      ["s3", "text", "one\ntwo\nthree"],
      ["s4", "reasoning", null],
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
      ["e5", "undo", "applied", "proven"],
      ["e6", "redo", "undone", "proven"],
      ["e7", "rewind", "applied", "proven"],
    ]);
    await window.undo("e7");
    expect((await window.show()).spans.map(({ spanId }) => spanId)).toEqual([
      "s1",
      "s2",
      "s4",
      "r1",
      "s5",
    ]);
  });

  it("are rendered to the bytes that were recorded", async () => {
    const window = new Window(await goldenLog(), "golden");
    const digests = goldens.flatMap(({ event: { type, data } }) =>
      type === "WindowRendered" ? [data as { at: number; digest: string }] : [],
    );
    expect(digests).toHaveLength(2);
    for (const { at, digest } of digests) {
      expect(contentDigest((await window.show(at)).rendered)).toBe(digest);
    }
  });
});
