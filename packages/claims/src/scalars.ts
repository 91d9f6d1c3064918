import type { Json } from "@palimpsest/core";

/** A value as a line states it. */
export type Scalar = string | number | boolean;

/** Longest string that counts as a value. */
const MAX_STRING = 80;

const NUMBER = /^[-+]?\d{1,15}(?:\.\d{1,15})?$/;
const QUOTED = /^(?:"([^"\\]*)"|'([^'\\]*)'|`([^`\\]*)`)$/;
const PERCENT = /^[-+]?\d{1,15}(?:\.\d{1,15})? ?%$/;
const BARE = /^[\w./@:+~-]+$/;

/** The value that `text` writes, if it is a single one; `words` allows bare strings with spaces. */
export function scalarOf(text: string, words = false): Scalar | undefined {
  if (text.length > MAX_STRING + 2) return undefined;
  if (NUMBER.test(text)) return numberScalar(text);
  if (text === "true" || text === "false") return text === "true";
  const quoted = QUOTED.exec(text);
  if (quoted !== null) return (quoted[1] ?? quoted[2] ?? quoted[3]) || undefined;
  if (BARE.test(text) || PERCENT.test(text)) return text;
  return words && /^[\w($<>~^][^#{}[\]"'`|&*!]*$/.test(text) ? text : undefined;
}

/** A number that reads back as it was written, or else its text: a claim's value is literal. */
function numberScalar(text: string): Scalar {
  const number = Number(text);
  return String(number) === text && Number.isSafeInteger(Math.trunc(number)) ? number : text;
}

/** Values that mean the same however they are written: `7`, `"7"`. */
export function sameValue(a: Json | undefined, b: Json | undefined): boolean {
  return String(a).toLowerCase() === String(b).toLowerCase();
}

/** A value that is more than a word: prose is full of words after a colon. */
export function isLiteral(value: Scalar): boolean {
  return typeof value !== "string" || /\d/.test(value);
}
