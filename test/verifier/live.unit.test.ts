import type { EventLog } from "@palimpsest/core";
import { openWindow, Window } from "@palimpsest/core";
import type { IssuedVerdict, KeptHeads } from "@palimpsest/verifier";
import { auditor, memoryHeads, verdictGate, verifyWindow } from "@palimpsest/verifier";
import { lastValueFrom, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import { stores } from "../support/scenarios/stores.ts";
import { KEY, OTHER_KEY, PRINCIPALS, user } from "../support/verifier/bases.ts";
import { start } from "../support/verifier/running.ts";
import { eventsIn } from "../support/verifier/store.ts";

/* The live verifier: when it speaks, what it remembers, who believes it. */

const options = { principals: PRINCIPALS };

const sizes = (issued: readonly IssuedVerdict[]) => issued.map(({ verdict }) => verdict.size);

describe.each(stores)("the live verifier, on $name", (store) => {
  describe("a verdict comes", () => {
    it("when a window is quiet, and once", async () => {
      const { log } = await store.open();
      const { running, issued } = start(log);
      const window = await openWindow(log, "w", options);
      await window.execute(user("a"));
      await running.idle();
      await running.idle();
      expect(issued.at(-1)?.verdict).toMatchObject({ size: 2, status: "holds" });
      expect(new Set(sizes(issued)).size).toBe(issued.length);
    });

    it("at least every so many events, at the ends of appends", async () => {
      const { log } = await store.open();
      const window = await openWindow(log, "w", options);
      for (let i = 0; i < 10; i += 1) await window.execute(user(`s${i}`));
      const { running, issued } = start(log, { every: 4, quietMs: 10_000 });
      await expect.poll(() => sizes(issued)).toEqual([4, 8]);
      await running.stop();
      expect(sizes(issued)).toEqual([4, 8, 11]);
    });

    it("at every settlement", async () => {
      const { log } = await store.open();
      const { issued } = start(log, { quietMs: 10_000 });
      const window = await openWindow(log, "w", options);
      await window.execute(user("a", { content: "long enough to be worth it" }));
      await window.execute({
        command: "proposePruning",
        proposalId: "p",
        by: "model/m",
        candidates: ["a"],
      });
      await window.execute({ command: "settlePruning", proposalId: "p" });
      await expect.poll(() => sizes(issued)).toEqual([6]);
    });

    it("at once when something is wrong", async () => {
      const { log } = await store.open();
      const { issued } = start(log, { quietMs: 10_000 });
      await openWindow(log, "w", options);
      await log.append(
        "window-w",
        [{ id: crypto.randomUUID(), type: "Odd", data: {}, metadata: {} }],
        0,
      );
      await expect.poll(() => issued[0]?.verdict.status).toBe("violated");
    });
  });

  describe("after a crash", () => {
    it("no verdict is missed and none is said twice", async () => {
      const { log } = await store.open();
      const heads = memoryHeads();
      const window = await openWindow(log, "w", options);
      for (let round = 0; round < 5; round += 1) {
        await window.execute(user(`s${round}`));
        // The verifier dies right after a write, before it could note what it did.
        const dying: EventLog = {
          ...log,
          append: async (...args) => {
            await log.append(...args);
            throw new Error("the process is gone");
          },
        };
        const { running } = start(dying, { heads });
        await expect(running.done).rejects.toThrow("gone");
        const { running: next } = start(log, { heads });
        await next.idle();
        await next.stop();
      }
      const verdicts = await lastValueFrom(auditor(log, { once: true }).pipe(toArray()));
      expect(verdicts.every(({ isValid }) => isValid)).toBe(true);
      expect(verdicts.map(({ verdict }) => verdict?.size)).toEqual([2, 3, 4, 5, 6]);
      expect(await verifyWindow(log, "w", { heads })).toMatchObject({
        status: "holds",
        rollback: "checked",
      });
    });

    it("probing goes on where it stopped", async () => {
      const { log } = await store.open();
      const heads = memoryHeads();
      const window = await openWindow(log, "w", options);
      for (const id of ["a", "b", "c"]) await window.execute(user(id));
      for (const id of ["a", "b", "c"]) await window.evict([id], { editId: `e-${id}` });
      const first = start(log, { heads, probesPerSecond: 10 });
      await expect.poll(async () => (await probesIn(log)).length).toBeGreaterThan(0);
      await first.running.stop();
      expect(first.issued.at(-1)?.verdict.status).toBe("incomplete");
      const second = start(log, { heads, probesPerSecond: 1_000 });
      await second.running.idle();
      expect(await probesIn(log)).toEqual(["e-a", "e-b", "e-c"]);
      const last = second.issued.at(-1)?.verdict;
      expect(last).toMatchObject({ status: "holds", probed: 3, edits: 3 });
    });
  });

  it("looks after many windows with few of them in memory", async () => {
    const { log } = await store.open();
    const names = Array.from({ length: 10 }, (_, i) => `w${i}`);
    const { running, issued } = start(log, { maxWindows: 4 });
    for (let round = 0; round < 3; round += 1) {
      for (const name of names) {
        const window = new Window(log, name, options);
        if (round === 0) await window.execute({ command: "openWindow" });
        else await window.execute(user(`s${round}`));
      }
    }
    await running.idle();
    const last = new Map(issued.map(({ verdict }) => [verdict.window, verdict]));
    expect([...last.keys()].sort()).toEqual([...names].sort());
    expect([...last.values()].every(({ size, status }) => size === 3 && status === "holds")).toBe(
      true,
    );
  });

  it("says nothing twice when two of them look at one window", async () => {
    const { log, reopen } = await store.open();
    const both = [start(log), start(reopen())];
    const window = await openWindow(log, "w", options);
    for (let round = 0; round < 6; round += 1) await window.execute(user(`s${round}`));
    await Promise.all(both.map(({ running }) => running.idle()));
    await Promise.all(both.map(({ running }) => running.stop()));
    const verdicts = await lastValueFrom(auditor(log, { once: true }).pipe(toArray()));
    expect(verdicts.filter(({ isValid }) => !isValid)).toEqual([]);
    const said = verdicts.map(({ verdict }) => verdict?.size ?? 0);
    expect(said).toEqual([...new Set(said)].sort((one, other) => one - other));
    expect(said.at(-1)).toBe(7);
  });

  describe("a key that was rotated", () => {
    async function rotated(heads: KeptHeads) {
      const { log } = await store.open();
      const window = await openWindow(log, "w", options);
      for (const [key, id] of [
        [{ key: KEY }, "a"],
        [{ key: OTHER_KEY, retired: [KEY] }, "b"],
        [{ key: OTHER_KEY, retired: [KEY] }, "c"],
      ] as const) {
        await window.execute(user(id));
        const { running } = start(log, { ...key, heads });
        await running.idle();
        await running.stop();
      }
      return log;
    }

    it("is believed by whoever trusted the old one", async () => {
      const log = await rotated(memoryHeads());
      const audited = await lastValueFrom(
        auditor(log, { once: true, keys: [KEY] }).pipe(toArray()),
      );
      expect(audited.map(({ isValid }) => isValid)).toEqual([true, true, true]);
      const signers = audited.map(({ verdict }) => verdict?.note.match(/^— /gm)?.length);
      expect(signers).toEqual([1, 2, 1]);
    });

    it("is not taken up by itself", async () => {
      const log = await rotated(memoryHeads());
      await new Window(log, "w", options).execute(user("d"));
      const { running } = start(log, { key: KEY });
      await expect(running.done).rejects.toThrow("nobody vouches");
    });
  });

  it("stops undo and settlement after a violation until somebody has seen it", async () => {
    const { log } = await store.open();
    const gate = verdictGate(log, { keys: [KEY] });
    await openWindow(log, "w", options);
    await log.append(
      "window-w",
      [{ id: crypto.randomUUID(), type: "Odd", data: {}, metadata: {} }],
      0,
    );
    const { running } = start(log);
    await running.idle();
    const undo = { command: "undo", editId: "e" };
    expect(await gate.stops("w", undo)).toMatchObject({ status: "violated" });
    expect(await gate.stops("w", { command: "batch", commands: [undo] })).toBeDefined();
    expect(await gate.stops("w", user("a"))).toBeUndefined();
    await expect(gate.acknowledge("w", "model/m")).rejects.toThrow("may not");
    await gate.acknowledge("w", "human/p");
    expect(await gate.stops("w", undo)).toBeUndefined();
  });
});

async function probesIn(log: EventLog): Promise<string[]> {
  const events = await eventsIn(log, "verdict-w");
  return events.flatMap(({ type, data }) =>
    type === "EditProbed" ? [(data as { editId: string }).editId] : [],
  );
}
