import { MAX_QUOTE } from "@palimpsest/core/state";

/** Lines and UTF-16 code units that are read at the beginning and at the end of a longer text. */
const HEAD = { lines: 8_000, length: 250_000 };
const TAIL = { lines: 2_000, length: 80_000 };

/** A line of a text; one longer than the longest quote counts as an empty one. */
export interface Line {
  /** As it stands in the text, without its line break. */
  readonly raw: string;
  /** Without the number that a reading tool put before it, and without space at the end. */
  readonly body: string;
  /** Number of spaces that the body begins with; a tab counts as one. */
  readonly indent: number;
}

/** Numbers as tools print them before the lines of a file: `  12→`, `12: `, `12|`, `12<tab>`. */
const NUMBERED = /^ {0,8}\d{1,7}(?:→|\t|: |\| ?)/;

const EMPTY: Line = { raw: "", body: "", indent: 0 };

/** The lines of a text, bounded in number and length. */
export function linesOf(text: string): Line[] {
  const lines: Line[] = [];
  let at = 0;
  while (at <= text.length && at < HEAD.length && lines.length < HEAD.lines) {
    const found = text.indexOf("\n", at);
    const end = found < 0 ? text.length : found;
    lines.push(lineOf(text, at, end));
    at = end + 1;
  }
  return [...lines, ...tailOf(text, at)];
}

/** The last lines of a text that begin at or after `from`. */
function tailOf(text: string, from: number): Line[] {
  const lines: Line[] = [];
  const least = Math.max(from, text.length - TAIL.length);
  let end = text.length;
  while (end >= least && lines.length < TAIL.lines) {
    const at = end === 0 ? 0 : text.lastIndexOf("\n", end - 1) + 1;
    if (at < least) break;
    lines.push(lineOf(text, at, end));
    end = at - 1;
  }
  return lines.reverse();
}

/** A line without the number that a reading tool put before it. */
export function bodyOf(raw: string): string {
  return raw.replace(NUMBERED, "").trimEnd();
}

function lineOf(text: string, at: number, end: number): Line {
  if (end - at > MAX_QUOTE) return EMPTY;
  const raw = text.slice(at, end);
  const body = bodyOf(raw);
  return { raw, body, indent: body.length - body.trimStart().length };
}
