/*
 * Spans hold hostile text. Whatever goes to a terminal passes through here: no escape sequence,
 * control character or reordering of text that a span holds may reach the screen as such.
 */

/**
 * Control characters without line feed and tab, line separators, and what reorders text or is not
 * seen: without the two marks that make a sign an emoji or plain.
 */
const UNSAFE =
  /(?!\n|\t|\ufe0e|\ufe0f)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with every unsafe character written as its escape: `\x1b`, `\u202e`, `\u{e0041}`. */
export function safeText(text: string): string {
  return text.replace(UNSAFE, (char) => {
    const hex = (char.codePointAt(0) ?? 0).toString(16);
    if (hex.length > 4) return `\\u{${hex}}`;
    return hex.length > 2 ? `\\u${hex.padStart(4, "0")}` : `\\x${hex.padStart(2, "0")}`;
  });
}

/** The same JSON value, with every unsafe character in a string as the escape that JSON has. */
export function safeJson(value: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(value).replace(UNSAFE, (char) => char.split("").map(escaped).join(""));
}
