import { countSteps, startCounting } from "@palimpsest/core/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { extractClaims } from "./extract.ts";
import type { ExtractSpan } from "./extraction.ts";
import { editOf } from "./file-edits.ts";
import { pathsIn } from "./paths.ts";
import { sentencesOf } from "./sentences.ts";

const stepsOf = async (task: () => unknown) => (await countSteps(task)).steps;

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
  [
    "deep nesting",
    Array.from({ length: 40_000 }, (_, i) => `${" ".repeat((i % 25) * 10)}k:`).join("\n"),
  ],
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

const spanOf = (text: string, reader: Partial<ExtractSpan>): ExtractSpan => ({
  id: "s",
  origin: "tool",
  kind: "tool-result",
  text,
  ...reader,
});

describe.each(readers)("hostile text, read as %o", (reader) => {
  beforeAll(startCounting);

  it.each(texts)("%s: four times as much takes four times the steps", async (_, text) => {
    const stepsFor = (size: number) =>
      stepsOf(() => extractClaims(spanOf(text.slice(0, size), reader)));
    expect(await stepsFor(20_000)).toBeLessThan(5 * (await stepsFor(5_000)));
  });
});

describe("a long hostile text", () => {
  beforeAll(startCounting);

  it.each([
    ["a.toml", "# raised to raised to pending deprecated see ticket\n"],
    ["a.yaml", "a=b\n"],
  ])("only the two ends of five megabytes are looked at: %s", async (source, line) => {
    const [part, whole] = [SIZE / 10, SIZE].map((size) => filled(line).slice(0, size));
    const steps = await stepsOf(() => extractClaims(spanOf(part ?? "", { source })));
    expect(steps).toBeLessThan(20_000_000);
    expect(await stepsOf(() => extractClaims(spanOf(whole ?? "", { source })))).toBeLessThan(
      1.1 * steps,
    );
  });
});

const numbered = (count: number, word: string) =>
  Array.from({ length: count }, (_, i) => `${word} ${i} of aa bb cc`).join("\n");

describe("hostile arguments of a call", () => {
  beforeAll(startCounting);

  const path = "docs/a.md";
  const read = numbered(2_000, "line");
  const half = read.replace(/^(.*)\n.*$/gm, "$1\n");

  it.each([
    ["a file that was half rewritten", [`${half}\n${"q zz\n".repeat(500_000)}`], read],
    ["a long text in place of another", [read, `${"x\n".repeat(500_000)}${read} more`], read],
    ["a patch of lines never read", [`@@\n${"-qzqzq\n".repeat(100_000)}`], filled("ab")],
    ["texts that end otherwise", Array(90).fill(`${read}\n@@`), `${filled("ab")}\n${read}`],
  ])("%s: compared in a bounded number of steps", async (_, strings, text) => {
    expect(await stepsOf(() => editOf([path, ...strings], path, text))).toBeLessThan(60_000_000);
  });

  it("words that are almost paths: told apart in a few steps for each character", async () => {
    const words = ["a", "a.", "/a", "a b/", "~", "-"].map((part) => `.${part.repeat(250)}`);
    const strings = words.flatMap((word) => Array(16).fill(`${word.slice(0, 255)}!`));
    const steps = await stepsOf(() => pathsIn(strings));
    expect(steps).toBeLessThan(10 * strings.join("").length);
  });
});

describe("a JSON document that somebody wrote", () => {
  beforeAll(startCounting);

  const ticket = (text: string) =>
    sentencesOf({ id: "s", origin: "tool", kind: "tool-result", tool: "get_ticket", text });

  it("is read in a few steps for each character where no string ends", async () => {
    const text = `{"${'\\"'.repeat(29_000)}`;
    expect(await stepsOf(() => ticket(text))).toBeLessThan(10 * text.length);
  });

  it("has its strings told from what stands between them", () => {
    const text = '{"a": 12345, "b": "no", "body": "The limit is wrong."}';
    expect(ticket(text).map((one) => one.text)).toEqual(["The limit is wrong."]);
  });
});

describe.each(readers)("five megabytes of hostile text, read as %o", (reader) => {
  it.each(texts)("%s: a bounded number of claims comes of them", (_, text) => {
    const { claims, conflicts } = extractClaims(spanOf(text, reader));
    expect(claims.length).toBeLessThanOrEqual(40);
    expect(conflicts.length).toBeLessThanOrEqual(20);
  });
});

describe("a long text", () => {
  it("has its end read too", () => {
    const text = `${filled("noise and more noise\n")}\n Tests  1 failed | 41 passed (42)\n`;
    const span = { id: "s", origin: "tool", kind: "tool-result", text } as const;
    expect(extractClaims(span).claims).toMatchObject([{ scope: "tests", value: "fail" }]);
  });
});
