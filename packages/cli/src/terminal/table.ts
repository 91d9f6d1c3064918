import stringWidth from "string-width";
import { safeLine } from "./safe.ts";

/** Widest cell, in columns of a terminal. */
const WIDEST_CELL = 100;

/**
 * Rows as aligned columns; the last column takes what is left of the line. Text is made safe first,
 * then measured as a terminal shows it: two columns for 中 and 😀, none for an accent.
 */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows].map((row) =>
    row.map((cell) => {
      const text = safeLine(cell, WIDEST_CELL);
      return { text, columns: stringWidth(text) };
    }),
  );
  const widths = head.map((_, column) =>
    all.reduce((widest, row) => Math.max(widest, row[column]?.columns ?? 0), 0),
  );
  const lines = all.map((row) =>
    row
      .map(({ text, columns }, column) => text + " ".repeat((widths[column] ?? columns) - columns))
      .join("  ")
      .trimEnd(),
  );
  return `${lines.join("\n")}\n`;
}
