import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { seededRandom } from "../testing/random.ts";
import * as node from "./node.ts";
import * as portable from "./portable.ts";

const SEED = 2026;

/** Well-formed text from every plane of Unicode, with an eye to the edges of UTF-8 lengths. */
function* randomTexts(count: number): Generator<string> {
  const random = seededRandom(SEED);
  const ranges = [0x80, 0x800, 0xd800, 0x110000];
  for (let n = 0; n < count; n += 1) {
    let text = "";
    for (let length = random.below(80); length > 0; length -= 1) {
      const code = random.below(ranges[random.below(ranges.length)] ?? 1);
      if (code < 0xd800 || code > 0xdfff) text += String.fromCodePoint(code);
    }
    yield text;
  }
}

const edges = ["", "\u0000", "\u007f\u0080\u07ff\u0800\uffff", "\u{10000}\u{10ffff}", "\ufeffx"];

describe("the platforms", () => {
  it(`hash and count alike, for 500 random texts (seed ${SEED})`, () => {
    for (const text of [...edges, ...randomTexts(500)]) {
      expect(portable.sha256Hex(text)).toBe(node.sha256Hex(text));
      expect(portable.utf8Length(text)).toBe(node.utf8Length(text));
    }
  });

  it("hash and count alike around the block sizes of SHA-256, and a long text", () => {
    for (const length of [55, 56, 63, 64, 65, 119, 120, 128, 100_000]) {
      const text = "é".repeat(length);
      expect(portable.sha256Hex(text)).toBe(node.sha256Hex(text));
      expect(portable.utf8Length(text)).toBe(2 * length);
      expect(node.utf8Length(text)).toBe(2 * length);
    }
  });

  it.each([
    ["node", node],
    ["portable", portable],
  ])("give the digest of FIPS 180-4's example: %s", (_, platform) => {
    expect(platform.sha256Hex("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(platform.utf8Length("a€\u{1f600}")).toBe(8);
  });

  it("check objects alike, with and without code made for them", () => {
    const [slow, quick] = [portable, node].map(({ quicken }) => {
      const schema = z.strictObject({
        a: z.string().check(z.minLength(2)),
        b: z.optional(z.nullable(z.int())),
        c: z.exactOptional(z.array(z.enum(["x", "y"]))),
      });
      quicken(schema);
      return schema;
    });
    const values = [undefined, null, "", "ab", 1, 1.5, [], ["x"], ["z"], {}];
    for (const a of values) {
      for (const b of values) {
        for (const value of [a, { a, b }, { a, c: b }, { b, c: a }, { a, b, more: 1 }]) {
          expect(quick?.safeParse(value)).toEqual(slow?.safeParse(value));
        }
      }
    }
    expect(quick?.safeParse({ a: "ab", b: null, c: ["x"] }).success).toBe(true);
    expect(quick?._zod.run).not.toBe(slow?._zod.run);
  });
});
