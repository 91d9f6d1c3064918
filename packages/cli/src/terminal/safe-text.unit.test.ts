import { describe, expect, it } from "vitest";
import { safeJson, safeText } from "./safe-text.ts";

describe("safeText", () => {
  it.each([
    ["an escape sequence", "\u001b[31m", "\\x1b[31m"],
    ["a soft hyphen", "pass\u00adword", "pass\\xadword"],
    ["an order of writing", "\u202eabc", "\\u202eabc"],
    ["letters that are not seen", "\u3164\u115f\u034f", "\\u3164\\u115f\\u034f"],
    ["a text in tags", "a\u{e0041}\u{e0042}", "a\\u{e0041}\\u{e0042}"],
    ["a text in variation selectors", "a\u{e0100}\ufe01", "a\\u{e0100}\\ufe01"],
    ["an annotation", "\ufff9a\ufffa", "\\ufff9a\\ufffa"],
  ])("writes %s as it is spelled", (_, text, shown) => {
    expect(safeText(text)).toBe(shown);
  });

  it("leaves lines, tabs, accents, signs and emoji", () => {
    const plain = "a\n\tü e\u0301 שלום 中文 ❤\ufe0f 😀";
    expect(safeText(plain)).toBe(plain);
  });
});

describe("safeJson", () => {
  const hostile = "\u009b2J \u007f \u202e \u2066 \u200b \ufeff \u0000 \u001b[31m \u{e0041}";
  const value = { [hostile]: [hostile, 'ü \\ " 😀'] };

  it("is the same value", () => {
    expect(JSON.parse(safeJson(value))).toEqual(value);
  });

  it("holds nothing that moves a terminal's cursor, or reorders or hides text", () => {
    expect(safeJson(value)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
