import { describe, expect, it } from "vitest";
import { seededRandom } from "./random.ts";

const SIDES = [1, 2, 3, 4, 5, 6];

describe("a seeded generator", () => {
  it("gives the numbers of Mulberry32, which fixtures and figures were made with", () => {
    const { next } = seededRandom(1);
    const numbers = [2_693_262_067, 11_749_833, 2_265_367_787];
    expect([next(), next(), next()]).toEqual(numbers.map((number) => number / 2 ** 32));
  });

  it("gives the same numbers for the same seed, and others for another", () => {
    const numbers = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.below(1_000_000));
    };
    expect(numbers(7)).toEqual(numbers(7));
    expect(numbers(7)).not.toEqual(numbers(8));
    expect(numbers(2 ** 32 - 1)).not.toEqual(numbers(0));
  });

  it("keeps to its bounds, and reaches all of them", () => {
    const { below, between, pick } = seededRandom(4711);
    const rolls = (roll: () => number) => [...new Set(Array.from({ length: 500 }, roll))].sort();
    expect(rolls(() => below(6))).toEqual(SIDES.map((side) => side - 1));
    expect(rolls(() => between(1, 6))).toEqual(SIDES);
    expect(rolls(() => pick(SIDES))).toEqual(SIDES);
  });

  it("has nothing to pick from an empty list", () => {
    expect(() => seededRandom(1).pick([])).toThrow(RangeError);
  });
});
