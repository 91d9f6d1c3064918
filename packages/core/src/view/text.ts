import type { Json } from "../json/json.ts";

/*
 * The two escapes of docs/rendering.md. A line of the rendering that starts with "::" is
 * structure; content never yields one, whatever it holds.
 */

/** What a reader may take for the start of a line: everything Unicode calls a mandatory break. */
const LINE_START = "(^|[\\n\\r\\v\\f\\u0085\\u2028\\u2029])";
const UNESCAPED = new RegExp(`${LINE_START}(\\\\*)::`, "g");
const ESCAPED = new RegExp(`${LINE_START}\\\\(\\\\*)::`, "g");

/** Puts one backslash before every line start of content that looks like structure. */
export function escapeContent(text: string): string {
  return text.includes("::") ? text.replace(UNESCAPED, "$1\\$2::") : text;
}

/** Gives back exactly what `escapeContent` was given. */
export function unescapeContent(text: string): string {
  return text.includes("::") ? text.replace(ESCAPED, "$1$2::") : text;
}

/** C1 controls, line and paragraph separators, and the characters that reorder text. */
const INVISIBLE = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A JSON value in one line, with nothing in it that breaks or reorders a line. */
export function oneLineJson(value: Json): string {
  return JSON.stringify(value).replace(
    INVISIBLE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
