import fc from "fast-check";
import { List } from "immutable";
import { describe, expect, it } from "vitest";
import type { Column } from "./columns.ts";
import { decodeItems, encodeItems } from "./columns.ts";
import { decodeNumbers, encodeNumbers } from "./runs.ts";

const int = fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 });

/** Numbers as a state has them: runs here and there. */
const numbers = fc
  .array(fc.tuple(int, fc.integer({ min: -2, max: 2 }), fc.integer({ min: 1, max: 9 })))
  .map((runs) =>
    runs.flatMap(([first, step, length]) =>
      Array.from({ length }, (_, i) => (first + step * i) | 0),
    ),
  );

/** Records of a few shapes, with any JSON in them. */
const record = fc.oneof(
  fc.record({ span: int, before: int, after: int }),
  fc.record({ id: fc.string(), writes: fc.array(fc.record({ span: int })) }),
  fc.dictionary(fc.string(), fc.jsonValue()),
);

const items = fc.oneof(
  numbers,
  fc.array(record),
  fc.array(fc.array(record)),
  fc.array(fc.constant("tool")),
  fc.array(fc.jsonValue()),
);

const throughText = (values: readonly unknown[]): readonly unknown[] =>
  decodeItems(JSON.parse(JSON.stringify(encodeItems(values))) as Column);

describe("columns", () => {
  it("give back every number", () => {
    fc.assert(
      fc.property(numbers, (all) => {
        expect(decodeNumbers(JSON.parse(JSON.stringify(encodeNumbers(all))))).toEqual(all);
      }),
    );
  });

  it("give back what a JSON array would, and again when it is encoded again", () => {
    fc.assert(
      fc.property(items, (values) => {
        const plain: unknown = JSON.parse(JSON.stringify(values));
        const once = throughText(values);
        expect(JSON.stringify(once)).toBe(JSON.stringify(plain));
        expect(throughText(once)).toEqual(plain);
      }),
    );
  });

  it("give back a field named like what every object inherits", () => {
    const odd = JSON.parse('[{"__proto__": {"a": 1}}, {"constructor": 2}]') as unknown[];
    expect(JSON.stringify(throughText(odd))).toBe(JSON.stringify(odd));
  });

  it("leave out a field that is undefined, and take nothing that JSON would lose", () => {
    expect(throughText([{ a: 1, b: undefined }])).toEqual([{ a: 1 }]);
    for (const lost of [undefined, List([1])]) {
      expect(() => encodeItems([lost])).toThrow(TypeError);
      expect(() => encodeItems([{ deep: [lost] }])).toThrow(TypeError);
    }
  });
});
