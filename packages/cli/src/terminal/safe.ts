/*
 * Spans hold hostile text. Whatever goes to a terminal passes through here: no escape sequence,
 * control character or reordering of text that a span holds may reach the screen as such.
 */

/** C0 without line feed and tab, DEL and C1, line separators, and what reorders or hides text. */
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are the point.
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** The text with every unsafe character written as its escape, `\x1b` or `\u202e`. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const code = char.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, "0")}`
      : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** The same JSON value, with every unsafe character in a string as the escape that JSON has. */
export function safeJson(value: unknown): string {
  return JSON.stringify(value).replace(
    UNSAFE,
    (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Safe text in one line of at most `width` characters. */
export function safeLine(text: string, width: number): string {
  const line = safeText(text.slice(0, width * 2))
    .replaceAll("\n", "⏎")
    .replaceAll("\t", " ");
  return line.length > width || text.length > width * 2 ? `${line.slice(0, width - 1)}…` : line;
}
