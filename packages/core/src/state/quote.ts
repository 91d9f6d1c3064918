import { canonicalJson } from "../json/canonical.ts";
import type { Json } from "../json/json.ts";

/** Longest quote, in UTF-16 code units. */
export const MAX_QUOTE = 300;

/**
 * The quote as it is kept: literally in `text`, widened to whole lines where that fits, so that
 * "use X" does not come out of "do not use X". Undefined: the words are not there, or are too many.
 */
export function widen(text: string, quote: string): string | undefined {
  const at = text.indexOf(quote);
  if (quote === "" || at < 0) return undefined;
  // lastIndexOf takes a place before the text for its start, which may be a line break itself.
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at + quote.length);
  const lines = text.slice(start, end < 0 ? text.length : end);
  if (lines.length <= MAX_QUOTE) return lines;
  return quote.length <= MAX_QUOTE ? quote : undefined;
}

/** The beginning of a text, at most so many UTF-16 code units; no character is cut in two. */
export function startOf(text: string, most: number): string {
  const start = text.slice(0, most);
  return /[\uD800-\uDBFF]$/.test(start) ? start.slice(0, -1) : start;
}

/** A value as it stands in a text: a string by itself, everything else as JSON. */
export function valueText(value: Json): string {
  return typeof value === "string" ? value : canonicalJson(value);
}

/**
 * The quote for a claim that came without one. For a keyed claim it is a line with its value, at
 * best one with its key too; for any other claim it is the line that the statement stands in, or
 * else the beginning of the text. Every line holds an empty value: only one with the key says it.
 */
export function chooseQuote(
  text: string,
  claim: { readonly statement: string; readonly key?: string; readonly value?: Json },
): string | undefined {
  if (claim.key !== undefined && claim.value !== undefined) {
    const value = valueText(claim.value);
    const key = claim.key.toLowerCase();
    const lines = text.split("\n").filter((line) => line.includes(value));
    const line = lines.find((one) => one.toLowerCase().includes(key));
    return line !== undefined && line.length <= MAX_QUOTE ? line : widen(text, value);
  }
  return widen(text, startOf(claim.statement, MAX_QUOTE)) ?? beginning(text);
}

/** As many whole lines from the start as fit, or the start of the first one. */
function beginning(text: string): string | undefined {
  const head = startOf(text, MAX_QUOTE);
  if (head.trim() === "") return undefined;
  const cut = text.length <= MAX_QUOTE ? head.length : head.lastIndexOf("\n");
  return cut > 0 ? head.slice(0, cut) : head;
}
