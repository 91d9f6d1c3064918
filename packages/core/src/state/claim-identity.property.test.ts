import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { folded } from "./claim-identity.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 500 : 3_000;

/** Every character that has a case, or is like one that has. */
const cased = Array.from({ length: 0x110000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter((one) => /\p{Changes_When_NFKC_Casefolded}|\p{Cased}|\p{M}/u.test(one));

/** What no locale makes equal to another letter, though its upper case is. */
const DOTLESS = "ı";

describe("a folded key", () => {
  it("is the same for a character, its lower case and its upper case", () => {
    const other = cased.filter((one) => {
      if (one.normalize("NFKC") === DOTLESS) return false;
      return [one.toLowerCase(), one.toUpperCase()].some((same) => folded(same) !== folded(one));
    });
    expect(cased.length).toBeGreaterThan(4_000);
    expect(other).toEqual([]);
  });

  it("is the same for characters that this runtime's own simple case folding makes equal", () => {
    const other = cased.flatMap((one) => {
      const same = new RegExp(`^${one}$`, "iu");
      const cases = [one.toLowerCase(), one.toUpperCase(), folded(one)];
      const equal = cases.filter((each) => [...each].length === 1 && same.test(each));
      return equal.filter((each) => folded(each) !== folded(one)).map((each) => [one, each]);
    });
    expect(other).toEqual([]);
  });

  // The foldings to several characters, status F in Unicode's CaseFolding.txt, one of each kind.
  it.each([
    ["ß", "ss"],
    ["ẞ", "ss"],
    ["İ", "i\u0307"],
    ["ŉ", "\u02bcn"],
    ["ǰ", "ǰ"],
    ["ΐ", "ΐ"],
    ["և", "եւ"],
    ["ẚ", "a\u02be"],
    ["ὐ", "ὐ"],
    ["ᾀ", "ἀι"],
    ["ᾈ", "ἀι"],
    ["ᾳ", "αι"],
    ["ᾷ", "ᾶι"],
    ["ﬁ", "fi"],
    ["ﬅ", "st"],
    ["ﬗ", "մխ"],
    ["ς", "σ"],
    ["\u0345", "ι"],
    [DOTLESS, DOTLESS],
    ["𝚤", DOTLESS],
  ])("of %s is %s", (one, fold) => {
    expect(folded(one)).toBe(fold);
  });

  const anything = fc
    .array(
      fc.oneof(
        fc.constantFrom(...cased),
        fc.constantFrom(..."ςΣσßẞİı\u0307\u0345ᾳᾼΆΐ\u0308\u0301 \u00a0ﬁ".split("")),
        fc.string({ unit: "binary", maxLength: 1 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(""));

  it("is folded already, in NFKC, and the same however it was normalized or lowered before", () => {
    fc.assert(
      fc.property(anything, (text) => {
        const fold = folded(text);
        expect(fold).toBe(fold.normalize("NFKC").trim());
        for (const same of [
          fold,
          text.toLowerCase(),
          text.normalize("NFD"),
          text.normalize("NFC"),
          text.normalize("NFKC"),
          ` ${text}\u3000`,
        ]) {
          expect(folded(same)).toBe(fold);
        }
      }),
      { numRuns },
    );
  });

  it("of ASCII is its lower case, trimmed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme-ascii" }), (text) => {
        expect(folded(text)).toBe(text.toLowerCase().trim());
        expect(folded(`${text}é`)).toBe(`${text.toLowerCase().trimStart()}é`);
      }),
    );
  });
});
