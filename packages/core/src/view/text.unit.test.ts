import { describe, expect, it } from "vitest";
import { escapeContent, oneLineJson, unescapeContent } from "./text.ts";

const breaks = ["\n", "\r", "\v", "\f", "\u0085", "\u2028", "\u2029", "\r\n"];

describe("escapeContent", () => {
  it.each([
    ["", ""],
    ["plain", "plain"],
    ["a :: b", "a :: b"],
    ["a::b", "a::b"],
    [":", ":"],
    ["::", "\\::"],
    ["::gap spans 1", "\\::gap spans 1"],
    ["\\::", "\\\\::"],
    ["\\\\::", "\\\\\\::"],
    ["\\x::", "\\x::"],
    [" ::", " ::"],
    ["::::", "\\::::"],
    ["::\n::\n\n::", "\\::\n\\::\n\n\\::"],
  ])("turns %j into %j", (content, escaped) => {
    expect(escapeContent(content)).toBe(escaped);
    expect(unescapeContent(escaped)).toBe(content);
  });

  it.each(breaks)("takes what follows %j for the start of a line", (lineBreak) => {
    const content = `a${lineBreak}::ledger${lineBreak}\\::b`;
    const escaped = `a${lineBreak}\\::ledger${lineBreak}\\\\::b`;
    expect(escapeContent(content)).toBe(escaped);
    expect(unescapeContent(escaped)).toBe(content);
  });

  it("is undone by unescapeContent, for every text of up to five of these pieces", () => {
    const pieces = ["::", ":", "\\", "\n", "x", "\u2028"];
    let texts = [""];
    for (let length = 0; length <= 5; length += 1) {
      for (const text of texts) {
        const escaped = escapeContent(text);
        expect(unescapeContent(escaped)).toBe(text);
        expect(escaped).not.toMatch(/(^|[\n\r\v\f\u0085\u2028\u2029])::/);
      }
      texts = texts.flatMap((text) => pieces.map((piece) => text + piece));
    }
  });

  it("costs no more than linear time on long runs of backslashes and breaks", () => {
    const content = `${"\\".repeat(100_000)}::${"\n".repeat(100_000)}${"\n\\".repeat(50_000)}::`;
    expect(unescapeContent(escapeContent(content))).toBe(content);
  });
});

describe("oneLineJson", () => {
  it("is JSON that reads back as the same value", () => {
    const value = { "a\u2028": ['\u0085\u202e\u007f\n"\\', 1, null] };
    expect(JSON.parse(oneLineJson(value))).toEqual(value);
  });

  it("holds nothing that breaks or reorders a line, or that a terminal obeys", () => {
    const all = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).join("");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
    const obeyed = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/;
    expect(oneLineJson(all)).not.toMatch(obeyed);
  });

  it("writes the characters of docs/rendering.md as lower-case escapes", () => {
    expect(oneLineJson("\u0085\u202E\u2069é")).toBe('"\\u0085\\u202e\\u2069é"');
  });
});
