import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

/** Most lines added and removed that are looked for; beyond that the diff replaces everything. */
const MAX_EDITS = 400;

const CONTEXT = 3;

/**
 * The unified diff that turns `before` into `after`; empty for equal texts. A pure function of
 * both, and bounded: texts with very little in common are shown as all removed, all added.
 */
export function unifiedDiff(before: string, after: string): string {
  if (before === after) return "";
  const options = { context: CONTEXT, headerOptions: FILE_HEADERS_ONLY };
  const small = createTwoFilesPatch("before", "after", before, after, "", "", {
    ...options,
    maxEditLength: MAX_EDITS,
  });
  return small ?? replacement(before, after);
}

function replacement(before: string, after: string): string {
  const removed = hunkLines(before, "-");
  const added = hunkLines(after, "+");
  return [
    "--- before",
    "+++ after",
    `@@ -${extent(removed.count)} +${extent(added.count)} @@`,
    ...removed.lines,
    ...added.lines,
    "",
  ].join("\n");
}

function extent(count: number): string {
  return count === 0 ? "0,0" : `1,${count}`;
}

function hunkLines(text: string, sign: string): { lines: string[]; count: number } {
  if (text === "") return { lines: [], count: 0 };
  const ends = text.endsWith("\n");
  const marked = (ends ? text.slice(0, -1) : text).split("\n").map((line) => `${sign}${line}`);
  const lines = ends ? marked : [...marked, "\\ No newline at end of file"];
  return { lines, count: marked.length };
}
