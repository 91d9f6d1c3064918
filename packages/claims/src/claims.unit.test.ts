import { describe, expect, it } from "vitest";
import { extractClaims } from "./extract.ts";
import type { ExtractSpan } from "./extraction.ts";
import { editOf } from "./file-edits.ts";
import { pathsIn } from "./paths.ts";
import { sentencesOf } from "./sentences.ts";

const SIZE = 5_000_000;
const filled = (part: string) => part.repeat(Math.ceil(SIZE / part.length));

const texts: readonly [string, string][] = [
  ["one line", filled("a")],
  ["spaces", filled(" ")],
  ["empty lines", filled("\n")],
  ["assignments", filled("a=b\n")],
  ["one setting again and again", filled("retry_budget = 3\n")],
  ["hedges", filled("retry_budget = 3 # raised to 7 pending\n")],
  ["comments", filled("# raised to raised to pending deprecated see ticket\n")],
  ["deep nesting", Array.from({ length: 40_000 }, (_, i) => `${" ".repeat(i % 250)}k:`).join("\n")],
  ["words", filled("the retry budget of the retry budget of the\n")],
  ["long names", filled(`${"a".repeat(120)} is is is 3 to 3 from 3 to\n`)],
  ["unfinished values", filled('set `"set from 3 from 3 to to\n')],
  ["quotes", filled('"\n')],
  ["backticks", filled("`")],
  ["equals signs", filled("=")],
  ["brackets", filled(`${"[".repeat(200)}\n`)],
  ["sentences", filled("The retry budget was raised from 3 to 7 now.\n")],
  ["totals", filled("1 failed, 1 passed\n")],
  ["edits", filled(`The file ${"in ".repeat(90)}\n`)],
  ["dashes", filled("- - - - - - - -\n")],
  ["carriage returns", filled("a_key = 1\r")],
];

const readers: readonly Partial<ExtractSpan>[] = [
  { source: "a.toml" },
  { source: "a.yaml" },
  { source: "a.md" },
  { source: "a.ts" },
  { tool: "edit_file" },
  { origin: "user", kind: "text" },
];

describe("five megabytes of hostile text", () => {
  it.each(texts)(
    "%s: read in well under 200 ms of processor time, whatever they are",
    (_, text) => {
      for (const reader of readers) {
        const before = process.cpuUsage();
        const span = { id: "s", origin: "tool", kind: "tool-result", text, ...reader } as const;
        const { claims, conflicts } = extractClaims(span);
        const { user, system } = process.cpuUsage(before);
        expect((user + system) / 1_000).toBeLessThan(200);
        expect(claims.length).toBeLessThanOrEqual(40);
        expect(conflicts.length).toBeLessThanOrEqual(20);
      }
    },
  );

  it("has its end read too", () => {
    const text = `${filled("noise and more noise\n")}\n Tests  1 failed | 41 passed (42)\n`;
    const span = { id: "s", origin: "tool", kind: "tool-result", text } as const;
    expect(extractClaims(span).claims).toMatchObject([{ scope: "tests", value: "fail" }]);
  });
});

/** Milliseconds of processor time. */
function timeOf(task: () => unknown): number {
  const before = process.cpuUsage();
  task();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word} ${i} of aa bb cc`).join("\n");

describe("hostile arguments of a call", () => {
  const path = "docs/a.md";
  const read = numbered(2_000, "line");
  const half = read.replace(/^(.*)\n.*$/gm, "$1\n");

  it.each([
    ["a file that was half rewritten", [`${half}\n${"q zz\n".repeat(500_000)}`], read],
    ["a long text in place of another", [read, `${"x\n".repeat(500_000)}${read} more`], read],
    ["a patch of lines never read", [`@@\n${"-qzqzq\n".repeat(100_000)}`], filled("ab")],
    ["texts that end otherwise", Array(90).fill(`${read}\n@@`), `${filled("ab")}\n${read}`],
  ])("%s: compared in well under 500 ms of processor time", (_, strings, text) => {
    expect(timeOf(() => editOf([path, ...strings], path, text))).toBeLessThan(500);
  });

  it("words that are almost paths: told apart in well under 200 ms", () => {
    const words = ["a", "a.", "/a", "a b/", "~", "-"].map((part) => `.${part.repeat(250)}`);
    const strings = words.flatMap((word) => Array(16).fill(`${word.slice(0, 255)}!`));
    expect(timeOf(() => pathsIn(strings))).toBeLessThan(200);
  });
});

describe("a JSON document that somebody wrote", () => {
  const ticket = (text: string) =>
    sentencesOf({ id: "s", origin: "tool", kind: "tool-result", tool: "get_ticket", text });

  it("is read in well under 200 ms where no string ends", () => {
    expect(timeOf(() => ticket(`{"${'\\"'.repeat(29_000)}`))).toBeLessThan(200);
  });

  it("has its strings told from what stands between them", () => {
    const text = '{"a": 12345, "b": "no", "body": "The limit is wrong."}';
    expect(ticket(text).map((one) => one.text)).toEqual(["The limit is wrong."]);
  });
});
