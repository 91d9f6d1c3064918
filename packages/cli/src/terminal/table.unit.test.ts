import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { safeLine } from "./safe.ts";
import { table } from "./table.ts";

/** Columns before the last cell of each line, which begins with `|`. */
function startsOfLast(text: string): number[] {
  return text
    .trimEnd()
    .split("\n")
    .map((line) => stringWidth(line.slice(0, line.lastIndexOf("|"))));
}

describe("table", () => {
  it.each([
    ["letters of two columns", "中文字", 6],
    ["emoji", "😀❤\ufe0f🇫🇷", 6],
    ["accents of their own", "e\u0301a\u0308", 2],
    ["letters that are joined", "각", 2],
  ])("aligns %s", (_, cell, columns) => {
    const text = table(
      ["id", "|"],
      [
        [cell, "|"],
        ["12345678", "|"],
        ["", "|"],
      ],
    );
    expect(startsOfLast(text)).toEqual([10, 10, 10, 10]);
    expect(text).toContain(`\n${cell}${" ".repeat(10 - columns)}|\n`);
  });

  it("makes text safe first, so that an escape counts with all that is printed of it", () => {
    expect(table(["a", "b"], [["\u001b[2J\u202e", "x"]])).toBe(
      `a${" ".repeat(14)}b\n\\x1b[2J\\u202e  x\n`,
    );
  });

  it("takes more rows than a call takes arguments", () => {
    const rows = Array.from({ length: 130_000 }, () => ["a"]);
    expect(table(["x"], rows)).toHaveLength(130_001 * 2);
  });
});

describe("safeLine", () => {
  it("cuts between characters, at a column", () => {
    expect(safeLine("中文字", 6)).toBe("中文字");
    expect(safeLine("中文字", 5)).toBe("中文…");
    expect(safeLine("中文字", 4)).toBe("中…");
    expect(safeLine("ae\u0301o", 2)).toBe("a…");
    expect(safeLine("😀😀😀", 4)).toBe("😀…");
  });

  it("is never wider than asked for, and looks at the beginning only", () => {
    for (const text of [
      "a".repeat(1_000),
      "\u0301".repeat(1_000),
      "😀".repeat(999),
      "x😀".repeat(99),
    ]) {
      for (const columns of [1, 2, 7, 20]) {
        const line = safeLine(text, columns);
        expect(stringWidth(line)).toBeLessThanOrEqual(columns);
        expect(line.length).toBeLessThanOrEqual(columns * 4 + 1);
        expect(line).toMatch(/…$/);
        expect(line.isWellFormed()).toBe(true);
      }
    }
  });

  it("writes lines and tabs as signs", () => {
    expect(safeLine("a\nb\tc", 9)).toBe("a⏎b c");
  });
});
