import { describe, expect, it } from "vitest";
import { partOf, tokenBudget, wholeNumber } from "./arguments.ts";

describe("partOf", () => {
  it("reads the k-th of n parts", () => {
    expect(partOf("2/8")).toEqual({ number: 2, of: 8 });
    expect(partOf("1/1")).toEqual({ number: 1, of: 1 });
  });

  it.each(["", "1", "0/2", "3/2", "1/0", "-1/2", "1/2/3", "1.5/2", "a/b", " 1/2"])(
    "refuses %j",
    (text) => {
      expect(() => partOf(text)).toThrow("2/8");
    },
  );
});

describe("wholeNumber", () => {
  it("takes decimal digits", () => {
    expect(["0", "42", "007", "-3"].map(wholeNumber)).toEqual([0, 42, 7, -3]);
  });

  it.each([
    "",
    " ",
    " 1",
    "1 ",
    "1e3",
    "0x10",
    "0b1",
    "1.0",
    "1_000",
    "+1",
    "--1",
    "٣",
    "Infinity",
  ])("refuses %j", (text) => {
    expect(() => wholeNumber(text)).toThrow("not a whole number");
  });

  it("refuses what no number holds exactly", () => {
    expect(wholeNumber("9007199254740991")).toBe(Number.MAX_SAFE_INTEGER);
    expect(() => wholeNumber("9007199254740993")).toThrow("not a whole number");
  });
});

describe("tokenBudget", () => {
  it("takes a token and more", () => {
    expect([tokenBudget("1"), tokenBudget("200000")]).toEqual([1, 200_000]);
  });

  it.each(["0", "-5"])("refuses %j", (text) => {
    expect(() => tokenBudget(text)).toThrow("less than one token");
  });

  it.each(["", "many", "1.5", "1e99"])("refuses %j", (text) => {
    expect(() => tokenBudget(text)).toThrow("not a whole number");
  });
});
