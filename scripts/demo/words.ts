import { safeLine, safeText } from "@palimpsest/cli/terminal";
import type { Json } from "@palimpsest/core";
import type { Span } from "@palimpsest/core/state";

/*
 * Sentences for a terminal. A transcript holds hostile text, so every line goes through the
 * command line's own safe text, whatever it was made of.
 */

export function say(line: string): void {
  console.log(safeText(line));
}

/** For what keeps the tour from running: no result, so not on stdout. */
export function complain(line: string): void {
  console.error(safeText(line));
}

/** What a span is, by its tool or origin and its first words: `Bash "total 48 drwxr-xr-x…"`. */
export function nameOf({ kind, tool, origin }: Span, content: Json): string {
  const shown = kind === "tool-call" ? argumentsOf(content) : content;
  return `${safeLine(tool?.name ?? origin, 40)} ${firstWords(shown, 50)}`;
}

/** A recorded call says the tool's name once more; its arguments tell it from others. */
function argumentsOf(call: Json): Json {
  const isObject = typeof call === "object" && call !== null && !Array.isArray(call);
  return (isObject ? (call as { readonly arguments?: Json }).arguments : undefined) ?? call;
}

/** The beginning of a content in quotes, on one line. */
export function firstWords(content: Json, width: number): string {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  const line = text
    .slice(0, width * 4)
    .replace(/\s+/g, " ")
    .trim();
  return `"${safeLine(line, width)}"`;
}
