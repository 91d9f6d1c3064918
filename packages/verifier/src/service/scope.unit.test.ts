import { describe, expect, it } from "vitest";
import { checkScope, isWithin, targetOf } from "./scope.ts";

const ids = [
  ...Array.from({ length: 400 }, (_, n) => `w${n}`),
  ...Array.from({ length: 400 }, () => crypto.randomUUID()),
  "__proto__",
  ".",
];
const partsOf = (of: number) =>
  Array.from({ length: of }, (_, n) => ({ part: { number: n + 1, of } }));

describe("the parts of all windows", () => {
  it.each([1, 2, 3, 8, 64])("hold each window once: %i", (of) => {
    for (const id of ids) {
      expect(partsOf(of).filter((scope) => isWithin(scope, id))).toHaveLength(1);
    }
  });

  it("are about equal, whether windows are numbered or random", () => {
    for (const list of [ids.slice(0, 400), ids.slice(400, 800)]) {
      for (const scope of partsOf(8)) {
        const size = list.filter((id) => isWithin(scope, id)).length;
        expect(size).toBeGreaterThan(25);
        expect(size).toBeLessThan(80);
      }
    }
  });

  it("are the same in every version, for two may run side by side", () => {
    const found = ["main", "w1", "w2", "w3"].map((id) =>
      partsOf(8).findIndex((scope) => isWithin(scope, id)),
    );
    expect(found).toEqual(PLACES);
  });
});

/** First 32 bits of SHA-256, modulo 8, of `main`, `w1`, `w2` and `w3`. */
const PLACES = [1, 7, 2, 3];

describe("a scope", () => {
  it("is everything unless said", () => {
    expect(targetOf({})).toEqual({ prefix: "window-" });
    expect(ids.every((id) => isWithin({}, id))).toBe(true);
  });

  it("of one window is its stream", () => {
    expect(targetOf({ window: "w1" })).toEqual({ stream: "window-w1" });
    expect(isWithin({ window: "w1" }, "w1")).toBe(true);
    expect(isWithin({ window: "w1" }, "w11")).toBe(false);
  });

  it("of a prefix is picked out by the store, and a part of it by the verifier", () => {
    expect(targetOf({ prefix: "w1" })).toEqual({ prefix: "window-w1" });
    const scopes = partsOf(3).map((scope) => ({ ...scope, prefix: "w1" }));
    for (const id of ids) {
      const within = scopes.filter((scope) => isWithin(scope, id)).length;
      expect(within).toBe(id.startsWith("w1") ? 1 : 0);
    }
  });

  it.each([
    [0, 2],
    [3, 2],
    [1, 0],
    [1.5, 2],
    [1, Number.NaN],
  ])("has no part %d of %d", (number, of) => {
    expect(() => checkScope({ part: { number, of } })).toThrow(RangeError);
  });
});
