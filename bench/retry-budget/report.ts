import type { Row } from "./experiment.ts";
import type { TranscriptResult } from "./transcripts.ts";

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

const PRUNED = ["recording", "policy", "before", "after", "ledger", "both sides", "spans alone"];
const FOUND = [
  "recording",
  "spans",
  "claims",
  "per 1,000",
  "conflicts",
  "per 1,000",
  "pairs found",
];

/** What pruning left of the pairs, and what the extractor alone finds in the recordings. */
export function transcriptText(results: readonly TranscriptResult[]): string {
  const absent = results.filter((one) => one.absent).map(({ file }) => `absent: ${file}\n`);
  const there = results.filter((one) => !one.absent);
  const pruned = there.flatMap(({ file, pairs, pruned: all }) =>
    all.map((one) => [
      file,
      one.policy,
      one.before.toLocaleString("en"),
      one.after.toLocaleString("en"),
      String(one.ledgerTokens),
      `${one.shown.length} of ${pairs.length}`,
      `${one.shownWithout.length} of ${pairs.length}`,
    ]),
  );
  const found = there.map(({ file, spans, found: { conflicts, claims: all }, pairs }) => {
    // A claim that is said in several places counts once.
    const claims = new Set(all.map(({ id }) => id)).size;
    return [
      file,
      String(spans),
      String(claims),
      ((1_000 * claims) / spans).toFixed(1),
      String(conflicts.length),
      ((1_000 * conflicts.length) / spans).toFixed(1),
      `${pairs.filter(({ both }) => both).length} of ${pairs.length}`,
    ];
  });
  return [...absent, columns([PRUNED, ...pruned]), "\n\n", columns([FOUND, ...found]), "\n"].join(
    "",
  );
}
