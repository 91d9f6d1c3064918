import type { Json } from "@palimpsest/core/events";

/* The two escapes of docs/rendering.md. */

/** The start of the content, or the place after a line break, followed by backslashes and `::`. */
const STRUCTURE = /(?<=^|[\n\v\f\r\u0085\u2028\u2029])(?=\\*::)/g;

/** Content in which no line starts with `::`. */
export function escaped(content: string): string {
  return content.includes("::") ? content.replace(STRUCTURE, "\\") : content;
}

const HIDDEN = /[\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** A JSON value in one line: nothing in it breaks a line or reorders one. */
export function oneLine(value: Json): string {
  return JSON.stringify(value).replace(HIDDEN, (char) => {
    return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
