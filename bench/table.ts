import type { Result } from "./figure.ts";

const HEADINGS = ["figure", "ours", "against", "unit", "ratio", "middle half", "target", ""];

/** The results as text for people, one line each, and below it what each figure is. */
export function tableOf(results: readonly Result[]): string {
  const lines = [HEADINGS, ...results.map(cells)];
  const widths = HEADINGS.map((_, column) => {
    return Math.max(...lines.map((line) => line[column]?.length ?? 0));
  });
  const table = lines.map((line) =>
    line
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
      .join("  ")
      .trimEnd(),
  );
  const notes = results.map(({ row, note = "" }) => `${row.name}: ${note}`);
  return [...table, "", ...notes].join("\n");
}

function cells({ row, spread, sense }: Result): string[] {
  const { name, value, unit, limit, ratio, target, meets } = row;
  return [
    name,
    numeral(value),
    numeral(limit),
    unit,
    ratio === null ? "–" : ratioText(ratio),
    spread === undefined ? "" : `${ratioText(spread[0])}–${ratioText(spread[1])}`,
    target === null ? "" : `${sense} ${target}`,
    meets === null ? "" : meets ? "met" : "MISSED",
  ];
}

/** Two decimals; for what is nearly nothing, two digits. */
function ratioText(ratio: number): string {
  return ratio < 0.1 ? String(Number(ratio.toPrecision(2))) : ratio.toFixed(2);
}

function numeral(value: number | null): string {
  return value === null ? "–" : value.toLocaleString("en", { maximumSignificantDigits: 4 });
}
