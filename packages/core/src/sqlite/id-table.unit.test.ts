import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { UUID_BYTES } from "../log/uuid.ts";
import { createIdTable } from "./id-table.ts";

const COUNT = 10_000;

it(`finds each of ${COUNT} ids where it was added, in whatever portions they came`, () => {
  const ids = randomBytes(COUNT * UUID_BYTES);
  const table = createIdTable();
  for (let start = 0, portion = 1; start < COUNT; start += portion, portion += 1) {
    table.add(ids.subarray(start * UUID_BYTES, (start + portion) * UUID_BYTES));
  }
  expect(table.length).toBe(COUNT);
  for (let revision = 0; revision < COUNT; revision += 1) {
    expect(table.candidates(ids, revision * UUID_BYTES)).toContain(revision);
  }
});

it("has candidates for hardly any id that was never added", () => {
  const table = createIdTable();
  table.add(randomBytes(COUNT * UUID_BYTES));
  const others = randomBytes(COUNT * UUID_BYTES);
  let found = 0;
  for (let at = 0; at < others.length; at += UUID_BYTES) {
    const candidates = [...table.candidates(others, at)];
    expect(table.mayHold(others, at)).toBe(candidates.length > 0);
    found += candidates.length;
  }
  // 10,000 × 10,000 pairs of 2³² hashes: one in every forty-three runs, three in a million.
  expect(found).toBeLessThan(4);
});

it("gives all candidates of an id that was added more than once, the newest first", () => {
  const ids = randomBytes(3 * UUID_BYTES);
  const table = createIdTable();
  for (const n of [0, 1, 0, 2, 0]) table.add(ids.subarray(n * UUID_BYTES, (n + 1) * UUID_BYTES));
  expect([...table.candidates(ids, 0)]).toEqual([4, 2, 0]);
  expect([...table.candidates(ids, UUID_BYTES)]).toEqual([1]);
});

it("takes an id a hundred thousand times", () => {
  const id = randomBytes(UUID_BYTES);
  const table = createIdTable();
  for (let n = 0; n < 100_000; n += 1) table.add(id);
  expect([...table.candidates(id, 0)]).toHaveLength(100_000);
});

it("counts ids that are missing, and finds none in their place", () => {
  const ids = randomBytes(2 * UUID_BYTES);
  const table = createIdTable();
  table.add(ids.subarray(0, UUID_BYTES + 7), 3);
  table.add(ids.subarray(UUID_BYTES));
  expect(table.length).toBe(4);
  expect([...table.candidates(ids, 0)]).toEqual([0]);
  expect([...table.candidates(ids, UUID_BYTES)]).toEqual([3]);
  expect(table.mayHold(new Uint8Array(UUID_BYTES), 0)).toBe(false);
});
