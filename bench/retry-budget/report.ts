import type { Row } from "./experiment.ts";

/** Lines of cells as text, the first line the headings. */
export function columns(lines: readonly (readonly string[])[]): string {
  const [headings = []] = lines;
  const widths = headings.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0)))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

const HEADINGS = [
  "arm",
  "tasks",
  "wrong-confident",
  "value in view",
  "unreasoned",
  "retained",
  "ratio",
  "ledger",
];

/** The rows as text for people, one table for each family and set of wordings. */
export function experimentText(rows: readonly Row[]): string {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const title = `${row.family}, ${row.wordings === "both" ? "all wordings" : row.wordings}`;
    groups.set(title, [...(groups.get(title) ?? []), row]);
  }
  return [...groups]
    .map(([title, some]) => `${title}\n${columns([HEADINGS, ...some.map(cells)])}\n`)
    .join("\n");
}

function cells(row: Row): string[] {
  return [
    row.arm,
    String(row.tasks),
    percent(row.wrongConfident, row.tasks),
    percent(row.finds, row.tasks),
    percent(row.unreasoned, row.tasks),
    Math.round(row.tokens).toLocaleString("en"),
    row.tokensRatio.toFixed(3),
    Math.round(row.ledgerTokens).toLocaleString("en"),
  ];
}

function percent(part: number, whole: number): string {
  return `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;
}
