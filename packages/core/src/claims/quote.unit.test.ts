import { describe, expect, it } from "vitest";
import { widen } from "./quote.ts";

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
