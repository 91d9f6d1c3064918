import { describe, expect, it } from "vitest";
import { chooseQuote, MAX_QUOTE, startOf, widen } from "./quote.ts";

describe("widen", () => {
  it.each([
    ["a line in the middle", "a\ndo not use X\nb", "use X", "do not use X"],
    ["the first line", "do not use X\nb", "do", "do not use X"],
    ["words over two lines", "xa\nby\nc", "a\nb", "xa\nby"],
    ["a quote that begins with the text's first line break", "\nuse X", "\nuse", "\nuse X"],
    ["nothing but the text's first line break", "\n", "\n", "\n"],
  ])("takes %s whole", (_, text, quote, kept) => {
    expect(widen(text, quote)).toBe(kept);
  });

  it("keeps the quote as it is where the lines do not fit", () => {
    expect(widen(`${"long ".repeat(100)}use X`, "use X")).toBe("use X");
  });

  it.each(["", "use Y"])("does not find %j", (quote) => {
    expect(widen("use X", quote)).toBeUndefined();
  });
});

describe("startOf", () => {
  it.each([
    ["abc", 2, "ab"],
    ["abc", 3, "abc"],
    ["a😀b", 1, "a"],
    ["a😀b", 2, "a"],
    ["a😀b", 3, "a😀"],
    ["😀", 1, ""],
    ["", 5, ""],
  ])("of %j, at most %d units, is %j", (text, most, start) => {
    expect(startOf(text, most)).toBe(start);
  });
});

describe("chooseQuote", () => {
  it("takes the line with the value, best the one with the key too", () => {
    const claim = { statement: "so it is", key: "Port", value: 80 };
    expect(chooseQuote("80 lines\nport 80", claim)).toBe("port 80");
    expect(chooseQuote("none\n80 lines\n80 more", claim)).toBe("80 lines");
  });

  it("takes a line that says a value is empty, and no line that says nothing of it", () => {
    const claim = { statement: "so it is", key: "may", value: "" };
    expect(chooseQuote("\nhello\nmay =", claim)).toBe("may =");
    for (const text of ["", "\n", "\nhello", "hello"]) {
      expect(chooseQuote(text, claim)).toBeUndefined();
    }
  });

  it("finds no quote for a value that is longer than a quote", () => {
    const [fits, not] = ["v".repeat(MAX_QUOTE), "v".repeat(MAX_QUOTE + 1)];
    const claim = { statement: "so it is", key: "k" };
    expect(chooseQuote(not, { ...claim, value: not })).toBeUndefined();
    expect(chooseQuote(not, { ...claim, value: fits })).toBe(fits);
  });
});
