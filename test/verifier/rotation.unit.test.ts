import type { EventLog } from "@palimpsest/core";
import { createMemoryLog, openWindow, Window } from "@palimpsest/core";
import type { KeptHeads, SignerKey } from "@palimpsest/verifier";
import { auditor, memoryHeads, signerKey, startVerifier, verifyWindow } from "@palimpsest/verifier";
import { lastValueFrom, toArray } from "rxjs";
import { expect, it } from "vitest";
import { PRINCIPALS, user } from "../support/verifier/bases.ts";

/* A key that is rotated again and again: an auditor who trusts one of them follows all of them. */

const KEYS = [11, 12, 13, 14, 15].map((byte) =>
  signerKey("test-verifier", new Uint8Array(32).fill(byte)),
);
const heads = new WeakMap<EventLog, KeptHeads>();

/** Says what there is to say with the first `count` keys, the last of which signs. */
async function verdictsWith(log: EventLog, count: number, retired = KEYS.slice(0, count - 1)) {
  const key = KEYS[count - 1] as SignerKey;
  const kept = heads.get(log) ?? memoryHeads();
  heads.set(log, kept);
  const running = startVerifier(log, { key, retired, heads: kept, quietMs: 0 });
  await running.idle();
  await running.stop();
}

async function audited(log: EventLog, keys: readonly SignerKey[], window: string) {
  const all = await lastValueFrom(auditor(log, { once: true, keys, window }).pipe(toArray()));
  return all.map(({ isValid }) => isValid);
}

/** Verdicts on `old` under the keys 1, 2 and 5; on `new`, which came after four rotations, 5. */
async function rotated() {
  const log = createMemoryLog();
  const old = await openWindow(log, "old", { principals: PRINCIPALS });
  for (const [count, id] of [
    [1, "a"],
    [2, "b"],
    [5, "c"],
    [5, "d"],
  ] as const) {
    await old.execute(user(id));
    if (id === "d") await openWindow(log, "new", { principals: PRINCIPALS });
    await verdictsWith(log, count);
  }
  await new Window(log, "new", { principals: PRINCIPALS }).execute(user("e"));
  await verdictsWith(log, 5);
  return log;
}

it("is followed from the first key on, over rotations in which nothing was said", async () => {
  const log = await rotated();
  expect(await audited(log, KEYS.slice(0, 1), "old")).toEqual([true, true, true, true]);
  expect(await verifyWindow(log, "old", { keys: KEYS.slice(0, 1) })).toMatchObject({
    status: "holds",
  });
});

it.each([0, 1, 2, 3, 4])("is believed on a new window by whoever trusts key %d", async (index) => {
  const log = await rotated();
  expect(await audited(log, KEYS.slice(index, index + 1), "new")).toEqual([true, true]);
});

it("leaves what was signed before it to those who trust the older keys, too", async () => {
  const log = await rotated();
  expect(await audited(log, KEYS.slice(4), "old")).toEqual([false, false, true, true]);
  expect(await audited(log, KEYS, "old")).toEqual([true, true, true, true]);
});

it("no longer takes the word of an old key once a newer one has signed", async () => {
  const log = await rotated();
  await new Window(log, "old", { principals: PRINCIPALS }).execute(user("late"));
  // Whoever has stolen the second key, and believes that nobody has rotated it.
  await expect(verdictsWith(log, 2)).rejects.toThrow("nobody vouches");
  expect(await audited(log, KEYS, "old")).toEqual([true, true, true, true]);
});

it("ends where the verifier has lost the key that signs so far", async () => {
  const log = await rotated();
  await new Window(log, "old", { principals: PRINCIPALS }).execute(user("late"));
  const key = signerKey("test-verifier", new Uint8Array(32).fill(99));
  const running = startVerifier(log, { key, heads: memoryHeads(), quietMs: 0 });
  await expect(running.done).rejects.toThrow("this verifier does not know");
});
