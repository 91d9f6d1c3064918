import type { EventLog } from "@palimpsest/core";
import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import type { Checkpoint } from "@palimpsest/verifier";
import { auditor, memoryHeads, signerKey, verifyWindow } from "@palimpsest/verifier";
import { lastValueFrom, toArray } from "rxjs";
import { expect, it } from "vitest";
import { KEY, PRINCIPALS, user } from "../support/verifier/bases.ts";
import { start } from "../support/verifier/running.ts";
import { eventsIn } from "../support/verifier/store.ts";

/* The live verifier where windows are many or busy, and where somebody else writes, too. */

const options = { principals: PRINCIPALS };

/** Checkpoints as they are saved. */
function checkpoints() {
  const saved: Checkpoint[] = [];
  return {
    saved,
    load: async () => saved.at(-1),
    save: async (one: Checkpoint) => void saved.push(one),
  };
}

const audited = (log: EventLog) =>
  lastValueFrom(auditor(log, { once: true, keys: [KEY] }).pipe(toArray()));

it("its checkpoint moves on while some window is always busy", async () => {
  const log = createMemoryLog();
  const places = checkpoints();
  const busy = await openWindow(log, "busy", options);
  const { issued } = start(log, { checkpoints: places, every: 20, quietMs: 100_000 });
  let isOver = false;
  const work = (async () => {
    for (let i = 0; !isOver; i += 1) {
      await busy.execute(user(`s${i}`));
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  })();
  await expect.poll(() => places.saved.length, { timeout: 8_000 }).toBeGreaterThan(2);
  isOver = true;
  await work;
  // Each of them is covered by a verdict: nothing is missed by who begins there.
  const covered = issued.at(-1)?.verdict.size ?? 0;
  expect(places.saved.every(({ revision }) => revision < covered)).toBe(true);
  const revisions = places.saved.map(({ revision }) => revision);
  expect([...revisions].sort((a, b) => a - b)).toEqual(revisions);
});

it("its checkpoint stays before an event that has no verdict yet", async () => {
  const log = createMemoryLog();
  const places = checkpoints();
  const { running } = start(log, { checkpoints: places });
  for (const window of ["zero", "first"]) {
    await openWindow(log, window, options);
    await expect.poll(() => log.head(`verdict-${window}`)).toBe(0);
  }
  await running.stop();
  const before = places.saved.at(-1);
  expect(before).toMatchObject({ stream: "window-first", revision: 0 });
  // One window waits for quiet; those after it are done again and again.
  await openWindow(log, "waits", options);
  for (let i = 0; i < 3; i += 1) await openWindow(log, `done${i}`, options);
  const dying = { ...log, append: async () => Promise.reject(new Error("gone")) };
  const { running: next } = start(dying, { checkpoints: places, quietMs: 50 });
  await expect(next.done).rejects.toThrow("gone");
  expect(places.saved.at(-1)).toEqual(before);
});

it("begins anew when the store holds the same events in another order", async () => {
  const places = checkpoints();
  const log = createMemoryLog();
  const { running } = start(log, { checkpoints: places });
  for (const window of ["a", "b", "c"]) {
    await openWindow(log, window, options);
    await expect.poll(() => log.head(`verdict-${window}`)).toBe(0);
  }
  await running.stop();
  expect(places.saved.at(-1)).toMatchObject({ stream: "window-c", revision: 0 });
  // A copy of it, into which other windows came before these.
  const copy = createMemoryLog();
  for (const window of ["new", "newer"]) await openWindow(copy, window, options);
  for (const name of ["window-a", "window-b", "window-c"]) {
    for await (const page of log.read(name)) await copy.append(name, page, "no-stream");
  }
  const { running: next } = start(copy, { checkpoints: places });
  await next.idle();
  for (const window of ["new", "newer"]) expect(await copy.head(`verdict-${window}`)).toBe(0);
});

it("goes on, and finds it, when somebody else writes into the verdicts", async () => {
  const log = createMemoryLog();
  const window = await openWindow(log, "w", options);
  const { running, issued } = start(log);
  await running.idle();
  const junk = { id: crypto.randomUUID(), type: "Junk", data: {}, metadata: {} };
  await log.append("verdict-w", [junk], "any");
  await window.execute(user("a"));
  await expect
    .poll(() => issued.at(-1)?.verdict)
    .toMatchObject({
      size: 2,
      status: "violated",
      findings: [{ code: "verdict-form", revision: 1, stream: "verdict" }],
    });
});

it("two with one key say nothing twice", async () => {
  const log = createMemoryLog();
  const [one, other] = [start(log), start(log)];
  const window = await openWindow(log, "w", options);
  for (let i = 0; i < 20; i += 1) {
    await window.execute(user(`s${i}`));
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  await Promise.all([one.running.idle(), other.running.idle()]);
  const verdicts = await audited(log);
  expect(verdicts.every(({ isValid }) => isValid)).toBe(true);
  const sizes = verdicts.map(({ verdict }) => verdict?.size);
  expect(new Set(sizes).size).toBe(sizes.length);
  expect(await verifyWindow(log, "w", { keys: [KEY] })).toMatchObject({ status: "holds" });
});

it("a stranger's first verdict on a window is found, and stops nobody", async () => {
  const log = createMemoryLog();
  const heads = memoryHeads();
  await openWindow(log, "own", options);
  const first = start(log, { heads });
  await first.running.idle();
  await first.running.stop();
  await openWindow(log, "squatted", options);
  const stranger = signerKey("stranger", new Uint8Array(32).fill(5));
  const squat = start(log, { key: stranger, window: "squatted" });
  await squat.running.idle();
  await squat.running.stop();
  const { running } = start(log, { heads });
  await new Window(log, "squatted", options).execute(user("a"));
  await running.idle();
  const verdicts = await audited(log);
  const own = verdicts.filter(({ isValid }) => isValid);
  expect(own.map(({ window }) => window)).toEqual(["own", "squatted"]);
  expect(own.at(-1)?.verdict).toMatchObject({
    status: "violated",
    findings: [{ code: "verdict-signature", revision: 0 }],
  });
});

it("half an append that is still on its way is not a violation, even when memory is short", async () => {
  const log = createMemoryLog();
  const a = await openWindow(log, "a", options);
  await openWindow(log, "b", options);
  // Half of a batch is delivered, then something of another window, then the rest.
  const slow: EventLog = {
    ...log,
    async *subscribe(_target, { signal } = {}) {
      yield { kind: "events", events: await eventsIn(log, "window-a"), checkpoint: "0" };
      await a.execute({ command: "batch", commands: [user("a1"), user("a2")] });
      const [, ...batch] = await eventsIn(log, "window-a");
      const others = await eventsIn(log, "window-b");
      for (const events of [batch.slice(0, 1), others, batch.slice(1)]) {
        yield { kind: "events", events, checkpoint: "1" };
      }
      yield { kind: "caught-up" };
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    },
  };
  const { running, issued } = start(slow, { maxWindows: 1 });
  await running.idle();
  const said = issued.map(({ verdict: { window, size, status } }) => `${window} ${size} ${status}`);
  expect(said).toEqual(expect.arrayContaining(["a 3 holds", "b 1 holds"]));
  expect(said.filter((one) => one.endsWith("violated"))).toEqual([]);
});

it("says of a window that is gone altogether that it is", async () => {
  const heads = memoryHeads();
  const log = createMemoryLog();
  await openWindow(log, "w", options);
  const before = start(log, { heads });
  await before.running.idle();
  await before.running.stop();
  const { running, issued } = start(createMemoryLog(), { heads });
  await running.idle();
  expect(issued[0]?.verdict).toMatchObject({
    window: "w",
    size: 0,
    status: "violated",
    findings: [{ code: "rolled-back" }],
  });
});

it("finds again what an earlier run left to be probed, without any kept head", async () => {
  const log = createMemoryLog();
  for (const name of ["a", "b", "c"]) {
    const window = await openWindow(log, name, options);
    await window.execute(user("s"));
    await window.evict(["s"], { editId: "e" });
  }
  const first = start(log);
  await first.running.idle();
  await first.running.stop();
  expect(first.issued.every(({ verdict }) => verdict.status === "incomplete")).toBe(true);
  const places = checkpoints();
  const head = (await log.head("window-c")) ?? 0;
  const last = (await eventsIn(log, "window-c")).at(-1);
  const before = { stream: "window-c", revision: head, id: last?.id ?? "" };
  // Begins behind every event: only the verdicts tell that there is something left.
  places.saved.push({ after: "1000", ...before });
  const second = start(log, { checkpoints: places, probesPerSecond: 1_000 });
  await second.running.idle();
  const done = second.issued.map(({ verdict: { window, status } }) => `${window} ${status}`);
  expect(done.sort()).toEqual(["a holds", "b holds", "c holds"]);
});

it("a verdict that was answered by a lost connection is said once", async () => {
  const log = createMemoryLog();
  let lost = 0;
  const flaky: EventLog = {
    ...log,
    append: async (...args) => {
      const result = await log.append(...args);
      if (lost++ === 0) throw Object.assign(new Error("lost"), { code: "outcome-unknown" });
      return result;
    },
  };
  await openWindow(log, "w", options);
  const { running, issued } = start(flaky);
  await running.idle();
  expect(issued).toHaveLength(1);
  expect(await eventsIn(log, "verdict-w")).toHaveLength(1);
});
