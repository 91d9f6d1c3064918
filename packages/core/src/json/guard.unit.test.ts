import { describe, expect, it } from "vitest";
import { guardJson, MAX_DEPTH } from "./guard.ts";

/** `inner` in `depth` arrays and objects. */
function nested(depth: number, inner: unknown = 1): unknown {
  let value = inner;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { a: value };
  return value;
}

const trap = (): never => {
  throw new Error("a trap");
};

describe("guardJson", () => {
  it.each([
    ["null", null],
    ["booleans", [true, false]],
    ["numbers", [0, -1, 0.1, 1e-300, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER]],
    ["text", ["", "\u0000\u001b\u202e", "\ud83d\ude00", "\ufffe\uffff"]],
    ["objects", { "": {}, "a/b~c": [[]], "\u2028": { deep: null } }],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 })],
  ])("gives back an equal value: %s", (_, value) => {
    expect(guardJson(value)).toEqual({ ok: true, value });
  });

  it("gives back a copy, all the way down", () => {
    const inner = { list: [1] };
    const guarded = guardJson([inner]);
    inner.list.push(2);
    expect(guarded).toEqual({ ok: true, value: [{ list: [1] }] });
  });

  it("leaves out keys whose value is undefined, hidden keys and symbols", () => {
    const value = { a: undefined, b: 1, [Symbol("s")]: 2 };
    Object.defineProperty(value, "hidden", { value: 3, enumerable: false });
    expect(guardJson(value)).toEqual({ ok: true, value: { b: 1 } });
  });

  it("keeps a key __proto__ as a key and not as a prototype", () => {
    const text = '{"__proto__":{"a":1},"constructor":{"b":[{"__proto__":null}]}}';
    const guarded = guardJson(JSON.parse(text));
    if (!guarded.ok) throw new Error(guarded.problem);
    expect(JSON.stringify(guarded.value)).toBe(text);
    expect(Object.getPrototypeOf(guarded.value)).toBe(Object.prototype);
  });

  it("writes minus zero as zero, as JSON text does", () => {
    const guarded = guardJson([-0, { a: -0 }]);
    expect(guarded).toEqual({ ok: true, value: [0, { a: 0 }] });
  });

  it(`takes ${MAX_DEPTH} levels and no more, or as many as it is told`, () => {
    expect(guardJson(nested(MAX_DEPTH)).ok).toBe(true);
    expect(guardJson(nested(MAX_DEPTH + 1))).toEqual({
      ok: false,
      problem: expect.stringContaining("nested too deep"),
    });
    expect(guardJson(nested(2), 1).ok).toBe(false);
    expect(guardJson("text", 0).ok).toBe(true);
  });

  it.each([
    ["undefined", undefined, "the value is undefined, not JSON"],
    ["a function", { f: trap }, '"/f" is function, not JSON'],
    ["a symbol", [Symbol("s")], '"/0" is symbol, not JSON'],
    ["a BigInt", { n: 1n }, '"/n" is bigint, not JSON'],
    ["NaN", Number.NaN, "the value is NaN, not a JSON number"],
    [
      "infinity",
      { "a/b": [Number.NEGATIVE_INFINITY] },
      '"/a~1b/0" is -Infinity, not a JSON number',
    ],
    ["2^53", 2 ** 53, "the value is a whole number beyond 2^53: write it as a string"],
    ["1e300", [1e300], '"/0" is a whole number beyond 2^53: write it as a string'],
    ["a lone surrogate", { a: "\ud800" }, '"/a" holds a lone surrogate'],
    ["a lone surrogate in a key", { "\udfff": 1 }, "a key in the value holds a lone surrogate"],
    ["a Date", { at: new Date(0) }, '"/at" is an object with a prototype of its own, not JSON'],
    ["a hole", new Array(1), '"/0" is undefined, not JSON'],
  ])("says why it refuses %s", (_, value, problem) => {
    expect(guardJson(value)).toEqual({ ok: false, problem });
  });

  it.each([
    [
      "a getter",
      {
        get a() {
          return trap();
        },
      },
    ],
    ["a proxy of an object", new Proxy({ a: 1 }, { ownKeys: trap })],
    ["a proxy of an array", new Proxy([1], { get: trap })],
    ["a proxy with no prototype to tell", new Proxy({}, { getPrototypeOf: trap })],
  ])("never throws, whatever the value does: %s", (_, value) => {
    expect(guardJson(value)).toEqual({ ok: false, problem: "the value cannot be read as JSON" });
  });

  it("ends on a cycle", () => {
    const cycle: unknown[] = [];
    cycle.push(cycle, cycle);
    expect(guardJson(cycle).ok).toBe(false);
  });

  it("cuts a hostile key short in what it says", () => {
    const guarded = guardJson({ [`\u001b${"x".repeat(5_000)}`]: Number.NaN });
    if (guarded.ok) throw new Error("accepted");
    expect(guarded.problem.length).toBeLessThan(200);
    expect(guarded.problem).not.toContain("\u001b");
  });
});
