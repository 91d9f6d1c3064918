import { describe, expect, it } from "vitest";
import { admissible, isAdmissible, parseExact, wellFormed } from "./exact-json.ts";

describe("parseExact", () => {
  it.each([
    '{"a":1,"b":[true,null,"x"],"c":-0.5}',
    '{"id":"1234567890123456789","n":12}',
    '{"__proto__":{"a":1e3}}',
  ])("reads %s like JSON.parse", (text) => {
    expect(parseExact(text)).toEqual(JSON.parse(text));
    expect(isAdmissible(parseExact(text))).toBe(true);
  });

  it.each(["9007199254740993", "-12345678901234567890", "1e400", "1e300"])(
    "keeps the source text of %s, which a JavaScript number cannot hold exactly",
    (number) => {
      const text = `{"n":${number}}`;
      expect(isAdmissible(parseExact(text))).toBe(false);
      expect(admissible(parseExact(text), text)).toBe(text);
    },
  );
});

describe("admissible", () => {
  it("gives back the same value where nothing is wrong with it", () => {
    const value = { a: ["x", 1.5] };
    expect(admissible(value, "")).toBe(value);
  });

  it("writes a lone surrogate in a text as its escape", () => {
    expect(admissible("a\ud800b", "")).toBe("a\\ud800b");
    expect(wellFormed("\udc00 \ud83d\ude00")).toBe("\\udc00 \ud83d\ude00");
  });

  it("gives the JSON text of a value with a lone surrogate, in a key too", () => {
    expect(admissible({ "\ud800": "\udc00" }, "")).toBe('{"\\ud800":"\\udc00"}');
  });
});
