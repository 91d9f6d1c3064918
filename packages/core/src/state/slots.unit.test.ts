import { describe, expect, it } from "vitest";
import { seededRandom } from "../testing/random.ts";
import type { Occupant } from "./slots.ts";
import { SlotTable } from "./slots.ts";

const SEED = 4711;
/** More than two chunks of 512. */
const SLOTS = 1_300;

/** The slow reference: who stands at each slot, in a plain array. */
type Model = (Omit<Occupant, "slot"> | undefined)[];

function occupantsOf(model: Model): Occupant[] {
  return model.flatMap((one, slot) => (one === undefined ? [] : [{ slot, ...one }]));
}

function countLive(model: Model, from: number, to: number): number {
  return model.slice(from, to + 1).filter((one) => one?.live === true).length;
}

/** Slots are taken one after another, as spans are born: a span of its own stands at each. */
function filled(): { table: SlotTable; model: Model } {
  const model: Model = [];
  let table = SlotTable.empty;
  for (let slot = 0; slot < SLOTS; slot += 1) {
    model.push({ span: slot, live: true });
    table = table.withLive(slot, slot);
  }
  return { table, model };
}

/** Does one random thing to both. */
function change(table: SlotTable, model: Model, below: (limit: number) => number): SlotTable {
  const slot = below(SLOTS);
  const span = below(3) === 0 ? (model[slot]?.span ?? below(SLOTS)) : below(SLOTS);
  const verb = below(4);
  if (verb === 0) {
    model[slot] = { span, live: false };
    return table.withEvicted(slot, span);
  }
  if (verb === 1) {
    if (model[slot]?.span === span) model[slot] = undefined;
    return table.without(slot, span);
  }
  model[slot] = { span, live: true };
  return table.withLive(slot, span);
}

function expectSame(table: SlotTable, model: Model, below: (limit: number) => number): void {
  expect([...table.occupants()]).toEqual(occupantsOf(model));
  for (let n = 0; n < 20; n += 1) {
    const from = below(SLOTS);
    const to = from + below(SLOTS);
    expect(table.countLive(from, to)).toBe(countLive(model, from, to));
  }
  expect(table.countLive(0, SLOTS - 1)).toBe(countLive(model, 0, SLOTS - 1));
}

describe("SlotTable", () => {
  it("is empty at first, and stays so when nobody is taken away", () => {
    expect([...SlotTable.empty.occupants()]).toEqual([]);
    expect(SlotTable.empty.countLive(0, 10_000)).toBe(0);
    expect(SlotTable.empty.without(3, 3)).toBe(SlotTable.empty);
  });

  it("tells live spans from evicted ones, span 0 included", () => {
    const table = SlotTable.empty.withLive(0, 0).withEvicted(1, 0).withLive(2, 7);
    expect([...table.occupants()]).toEqual([
      { slot: 0, span: 0, live: true },
      { slot: 1, span: 0, live: false },
      { slot: 2, span: 7, live: true },
    ]);
    expect(table.countLive(0, 2)).toBe(2);
    expect(table.countLive(1, 1)).toBe(0);
  });

  it("lets only the occupant itself leave", () => {
    const table = SlotTable.empty.withLive(5, 1);
    expect(table.without(5, 2)).toBe(table);
    expect([...table.without(5, 1).occupants()]).toEqual([]);
    expect([...table.withEvicted(5, 1).without(5, 1).occupants()]).toEqual([]);
  });

  it("is the same value when nothing changes", () => {
    const table = SlotTable.empty.withLive(6, 3);
    expect(table.withLive(6, 3)).toBe(table);
    expect(table.withLive(6, 4)).not.toBe(table);
  });

  it(`agrees with a plain array after every one of 2,000 changes (seed ${SEED})`, () => {
    const { below } = seededRandom(SEED);
    const { table: first, model } = filled();
    let table = first;
    for (let n = 0; n < 2_000; n += 1) {
      table = change(table, model, below);
      if (n % 50 === 0) expectSame(table, model, below);
    }
    expectSame(table, model, below);
  });

  it(`keeps every earlier table as it was (seed ${SEED})`, () => {
    const { below } = seededRandom(SEED);
    const kept: { table: SlotTable; occupants: Occupant[] }[] = [];
    const { table: first, model } = filled();
    let table = first;
    for (let n = 0; n < 300; n += 1) {
      table = change(table, model, below);
      if (n % 10 === 0) kept.push({ table, occupants: occupantsOf(model) });
    }
    for (const one of kept) expect([...one.table.occupants()]).toEqual(one.occupants);
  });

  it(`changes in place while it is mutable, and no table else (seed ${SEED})`, () => {
    const { below } = seededRandom(SEED);
    const { table: first, model } = filled();
    let table = first;
    for (let round = 0; round < 20; round += 1) {
      const before = table;
      const occupants = occupantsOf(model);
      let mutable = table.asMutable();
      for (let n = 0; n < 50; n += 1) mutable = change(mutable, model, below);
      table = mutable.asImmutable();
      expect([...before.occupants()]).toEqual(occupants);
      expectSame(table, model, below);
      const branch = table.withLive(0, round);
      expect([...table.occupants()]).toEqual(occupantsOf(model));
      expect([...branch.occupants()][0]).toEqual({ slot: 0, span: round, live: true });
    }
  });
});
