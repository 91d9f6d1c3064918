import { applyPatch } from "diff";
import { beforeAll, describe, expect, it } from "vitest";
import { countSteps, startCounting } from "../testing/work.ts";
import { unifiedDiff } from "./diff.ts";

beforeAll(startCounting);

const lines = (count: number, text: (i: number) => string) =>
  Array.from({ length: count }, (_, i) => `${text(i)}\n`).join("");

describe("unifiedDiff", () => {
  it("is empty for equal texts", () => {
    expect(unifiedDiff("a\n", "a\n")).toBe("");
    expect(unifiedDiff("", "")).toBe("");
  });

  it("shows what changed, with three lines around it", () => {
    const before = lines(9, (i) => `line ${i}`);
    expect(unifiedDiff(before, before.replace("line 4", "line four"))).toBe(
      [
        "--- before",
        "+++ after",
        "@@ -2,7 +2,7 @@",
        " line 1",
        " line 2",
        " line 3",
        "-line 4",
        "+line four",
        " line 5",
        " line 6",
        " line 7",
        "",
      ].join("\n"),
    );
  });

  it("shows a first version as all added", () => {
    expect(unifiedDiff("", "a\nb")).toBe(
      [
        "--- before",
        "+++ after",
        "@@ -0,0 +1,2 @@",
        "+a",
        "+b",
        "\\ No newline at end of file",
        "",
      ].join("\n"),
    );
  });

  it.each([
    ["added", "a\n", "a\nb\n"],
    ["removed", "a\nb\n", "b\n"],
    ["emptied", "a\nb", ""],
    ["from nothing", "", "a\n"],
    ["a missing newline", "a\nb", "a\nb\n"],
    ["lines that look like a diff", "--- before\n+++ after\n", "@@ -1 +1 @@\n-x\n"],
    ["no line in common", lines(900, (i) => `a${i}`), lines(700, (i) => `b${i}`)],
    ["no line in common, no newline at the end", lines(900, (i) => `a${i}`), `${"b\n".repeat(9)}c`],
    ["nothing left of much", lines(900, (i) => `a${i}`), ""],
    ["carriage returns", "a\r\nb\r\n", "a\r\nc\r\n"],
  ])("leads from the one text to the other: %s", (_, before, after) => {
    expect(applyPatch(before, unifiedDiff(before, after))).toBe(after);
  });

  it("takes four times the steps for four times the lines that have nothing in common", async () => {
    const stepsFor = async (count: number) =>
      (await countSteps(() => unifiedDiff("a\n".repeat(count), "b\n".repeat(count)))).steps;
    expect(await stepsFor(4_096)).toBeLessThan(5 * (await stepsFor(1_024)));
  });
});
