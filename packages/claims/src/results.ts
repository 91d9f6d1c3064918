import { keyedOf } from "./keyed.ts";
import type { Line } from "./lines.ts";
import { editedStatement } from "./overtaken-statements.ts";
import type { SpanClaims } from "./span-claims.ts";
import { isSettings } from "./text-forms.ts";

/* What tools say about what they did: totals of test runs, versions, edits of files. */

const UNIT = "(?:tests? |specs? |examples? )?";
export const FAILED = new RegExp(
  `\\b[1-9]\\d{0,6} ${UNIT}(?:failed|failing|failures?)\\b|^FAIL(?:ED)?\\b|^# fail [1-9]|` +
    "^(?:.*, )?(?:Failures|Errors): [1-9]|\\((?:failures|errors)=[1-9]",
);
export const PASSED = new RegExp(
  `\\b\\d{1,7} ${UNIT}(?:passed|passing)\\b|^ok\\s+\\S+\\s+(?:[\\d.]+s|\\(cached\\))|^# pass \\d|` +
    "^\\W{0,4}[Aa]ll (?:\\d{1,7} )?tests (?:pass|passed|are green)\\b|" +
    "\\b0 failures\\b|^OK(?: \\(|$)",
);
/** Longest line that is taken for a total. */
const MAX_TOTAL = 160;

/** One claim on how the tests went, from the last total that failed, or else from the last one. */
export function addTestResult(findings: SpanClaims, lines: readonly Line[]): void {
  let found: { readonly line: Line; readonly failed: boolean } | undefined;
  for (const line of lines) {
    const text = line.body.trimStart();
    if (text.length > MAX_TOTAL || !/pass|fail|ok|tests/i.test(text)) continue;
    if (FAILED.test(text)) found = { line, failed: true };
    else if (found?.failed !== true && PASSED.test(text)) found = { line, failed: false };
  }
  if (found === undefined) return;
  const { line, failed } = found;
  const value = (failed ? WORDS_OF_FAILURE : WORDS_OF_SUCCESS).find((w) => line.body.includes(w));
  if (value === undefined) return;
  const statement = `tests ${failed ? "failed" : "passed"}: ${line.body.trim()}`;
  const key = /^(?:FAIL|ok)$/.test(value) ? "package result" : "result";
  findings.add({ statement, scope: "tests", key, value, quote: line.raw });
}

/** A claim's value stands in its quote, so it is one of the words that runners use. */
const WORDS_OF_FAILURE = ["fail", "FAIL", "Failures", "Errors", "errors"];
const WORDS_OF_SUCCESS = ["pass", "0 failures", "ok", "OK"];

const VERSION = new RegExp(
  "^([A-Za-z][\\w.+-]{0,30})(?: version)?[ :@/]" +
    "v?(\\d{1,5}\\.\\d{1,5}(?:\\.\\d{1,6})?(?:[-+][\\w.]{1,20})?)$",
);
/** A text with more of them is a listing of packages. */
const MAX_VERSIONS = 3;

export function addVersions(findings: SpanClaims, scope: string, lines: readonly Line[]): void {
  const found = lines.flatMap((line) => {
    const match = line.body.length > 80 ? null : VERSION.exec(line.body.trim());
    return match === null ? [] : [{ line, name: match[1] ?? "", value: match[2] ?? "" }];
  });
  if (found.length > MAX_VERSIONS) return;
  for (const { line, name, value } of found) {
    const key = `${name} version`;
    findings.add({ statement: line.body.trim(), scope, key, value, quote: line.raw });
  }
}

const EDITED =
  /^(?:The file|File|Successfully|Updated|[Ee]dited|Wrote|M)\b(?:.{0,80}? (?:in|to|of|at:))? (\S+)/;
/** Lines of a result in which it says what it did. */
const MAX_REPORT = 10;
const EDITING = /(?:^|[_-])(?:edit|write|patch|replace|insert|update)|str_replace|multi_?edit/i;

/** By its name, a tool that writes to files. */
export function isEditing(tool: string | undefined): boolean {
  return tool !== undefined && EDITING.test(tool);
}

/**
 * Adds what the result of an edit shows of the file's settings, or else that the file was edited,
 * which is in tension with what was read of it before (known-claims.ts).
 */
export function addEdit(
  findings: SpanClaims,
  lines: readonly Line[],
  tool: string | undefined,
  source: string | undefined,
): void {
  if (!isEditing(tool)) return;
  for (const line of lines.slice(0, MAX_REPORT)) {
    const path = line.body === "" ? undefined : (source ?? editedPath(line.body));
    if (path === undefined) continue;
    if (findings.keyed === 0 && isSettings(path)) addShown(findings, path, lines);
    if (findings.keyed > 0) return;
    findings.add({ statement: editedStatement(path), scope: path, quote: line.raw });
    return;
  }
}

/** The path that a tool says it edited: a word with a slash or a dot in it. */
function editedPath(text: string): string | undefined {
  const path = EDITED.exec(text)?.[1]?.replace(/^["'`]|["'`.:,]+$/g, "");
  return path !== undefined && /[/.\\]/.test(path) ? path : undefined;
}

/** The settings that an edit's result shows, as they are now. */
function addShown(findings: SpanClaims, scope: string, lines: readonly Line[]): void {
  for (const { body, raw } of lines) {
    if (/^[-<]/.test(body)) continue;
    const keyed = keyedOf(body.replace(/^\+/, ""), true);
    if (keyed === undefined) continue;
    const { key, value } = keyed;
    findings.add({ statement: `${key} = ${value}`, scope, key, value, quote: raw });
  }
}
