import type { Json, JsonObject, StoredEvent } from "@palimpsest/core";
import { contentDigest, Window } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import {
  admit,
  evict,
  propose,
  redo,
  rewind,
  rewrite,
  settle,
  undo,
} from "../support/scenarios/commands.ts";
import { damagedLog } from "../support/scenarios/damaged-log.ts";
import { given, HOST, HUMAN } from "../support/scenarios/given.ts";
import type { StoreKind } from "../support/scenarios/stores.ts";
import { stores } from "../support/scenarios/stores.ts";

/** Revision of the record of e1, which evicted s1. */
const RECORD = 4;

type Entry = { spanId: string; revision: number; digest: string };

/** The same record with other entries. */
const entries = (change: (first: Entry) => Json[]) => (event: StoredEvent) => {
  const data = event.data as JsonObject & { consumed: [Entry] };
  return { ...event, data: { ...data, consumed: change(data.consumed[0]) } };
};

const fields = (change: JsonObject) => (event: StoredEvent) => ({
  ...event,
  data: { ...(event.data as JsonObject), ...change },
});

const ways: readonly [string, (event: StoredEvent) => StoredEvent][] = [
  ["emptied", entries(() => [])],
  ["of another edit", fields({ editId: "e9" })],
  ["with another ordinal", fields({ ordinal: 7 })],
  ["naming another span", entries((first) => [{ ...first, spanId: "s2" }])],
  ["naming a span that never was", entries((first) => [{ ...first, spanId: "s99" }])],
  ["naming its span twice", entries((first) => [first, first])],
  ["with another digest", entries((first) => [{ ...first, digest: contentDigest("evil") }])],
  ["with another revision", entries((first) => [{ ...first, revision: first.revision + 1 }])],
  [
    "in another append",
    (event) => ({
      ...event,
      metadata: { ...(event.metadata as JsonObject), commandId: "another" },
    }),
  ],
  [
    "gone, another event in its place",
    (event) => ({
      ...event,
      type: "SpansRead",
      data: { spanIds: ["s2"] },
    }),
  ],
];

/** s1 to s3; e1 evicted s1; e2 rewrote s2; q1 proposes s3. The record of e1 is damaged. */
async function withDamagedRecord(store: StoreKind, change: (event: StoredEvent) => StoredEvent) {
  const w = await given(store);
  w.expectsDamage();
  await w.holds("s1", "s2", "s3");
  await w.accepts(evict("e1", ["s1"]));
  await w.accepts(rewrite("e2", ["s2"], "s2b", "shorter"));
  await w.accepts(propose("q1", ["s3"]));
  const damaged = damagedLog(w.log);
  damaged.replace(RECORD, change);
  return w.through(damaged);
}

describe.each(stores)("an edit whose record is damaged, on $name", (store) => {
  describe.each(ways)("%s", (_, change) => {
    it("is irreversible, and the ledger raises the alarm", async () => {
      const w = await withDamagedRecord(store, change);
      const [e1, e2] = await w.statuses();
      expect(e1).toMatchObject({ editId: "e1", recovery: "missing", word: "irreversible" });
      expect(e2).toMatchObject({ editId: "e2", recovery: "proven" });
      expect((await w.view()).rendered).toContain("; ALARM: edits and records differ");
    });

    it("cannot be undone, rewound across or pruned upon; nothing is written", async () => {
      const w = await withDamagedRecord(store, change);
      const missing = { editId: "e1", recovery: "missing" };
      await w.refuses(undo("e1"), "irreversible-edit", missing);
      await w.refuses(undo("e1", { strategy: "cascade" }), "irreversible-edit", missing);
      await w.refuses(redo("e1"), "irreversible-edit", missing);
      await w.refuses(rewind(1), "irreversible-edit", missing);
      await w.refuses(settle("q1", { by: HUMAN }), "closure-broken", { unclosed: ["e1"] });
      await expect(w.window.prune({ targetTokens: 1 })).rejects.toMatchObject({
        code: "closure-broken",
      });
    });

    it("leaves alone what was built beside it", async () => {
      const w = await withDamagedRecord(store, change);
      await w.accepts(undo("e2"));
      await w.accepts(admit("s4"));
      expect((await w.live()).includes("s4")).toBe(true);
    });

    it("is violated to the verifier, which renders the same alarm", async () => {
      const w = await withDamagedRecord(store, change);
      const log = w.log;
      const rendered = await new Window(log, "w", { principals: [HOST] }).render();
      expect(rendered.outcome).toBe("accepted");
      const { status, findings } = await verifyWindow(log, "w");
      expect(status).toBe("violated");
      expect(findings.filter(({ code }) => code.startsWith("shown"))).toEqual([]);
    });
  });
});

describe.each(stores)("an undo whose record is damaged, on $name", (store) => {
  it("is not taken back, and its edit is not redone", async () => {
    const w = await given(store);
    w.expectsDamage();
    await w.holds("s1", "s2");
    await w.accepts(evict("e1", ["s1"]));
    await w.accepts(undo("e1", { as: "u1" }));
    const damaged = damagedLog(w.log);
    damaged.replace(5, fields({ editId: "e9" }));
    const again = w.through(damaged);
    await again.refuses(undo("u1"), "irreversible-edit", { editId: "u1", recovery: "missing" });
    await again.refuses(redo("e1"), "irreversible-edit", { editId: "u1", recovery: "missing" });
  });
});
