import stringWidth from "string-width";
import { safeText } from "./safe-text.ts";

/**
 * Characters of a text that are looked at for each column of the line: accents and the like take
 * none, and a hostile text may be nothing else.
 */
const UNITS_PER_COLUMN = 4;

const graphemes = new Intl.Segmenter();

/** Safe text in one line of at most `columns` columns of a terminal; `…` where it was cut. */
export function safeLine(text: string, columns: number): string {
  const start = text.slice(0, columns * UNITS_PER_COLUMN);
  const isWhole = start.length === text.length;
  const line = safeText(isWhole ? start : start.replace(HALF_CHARACTER, ""))
    .replaceAll("\n", "⏎")
    .replaceAll("\t", " ");
  if (isWhole && stringWidth(line) <= columns) return line;
  return `${fitting(line, columns - 1)}…`;
}

/** The first half of a character that takes two units. */
const HALF_CHARACTER = /[\ud800-\udbff]$/;

/** The beginning of a line that takes at most so many columns, in whole characters. */
function fitting(line: string, columns: number): string {
  let taken = 0;
  for (const { segment, index } of graphemes.segment(line)) {
    taken += stringWidth(segment);
    if (taken > columns) return line.slice(0, index);
  }
  return line;
}
