import { Findings } from "./findings.ts";
import type { Form } from "./form.ts";
import { formOf } from "./form.ts";
import { isSpecific, keyedOf } from "./keyed.ts";
import type { Line } from "./lines.ts";
import { linesOf } from "./lines.ts";
import type { ClaimExtractor, Extraction, ExtractLimits, ExtractSpan } from "./port.ts";
import { DEFAULT_LIMITS, NOTHING_EXTRACTED } from "./port.ts";
import { addNotes, addProse } from "./prose.ts";
import { addEdit, addTestResult, addVersions } from "./results.ts";
import { isLiteral } from "./scalars.ts";
import {
  addRemarks,
  addSetting,
  flatSettings,
  hedgeBeside,
  named,
  treeSettings,
} from "./settings.ts";

/** Origins whose words are not the model's or the host's own. */
const ORIGINS = new Set(["user", "system", "tool"]);

/** Most claims of a text whose source nobody named. */
const MAX_UNNAMED = 12;

/**
 * Proposes claims from the words of a span, and conflicts between them. Deterministic: patterns,
 * no model. Conservative: code is full of `a = b` and prose of `x: y`, so outside of settings only
 * what is hedged counts (docs/decisions/policy-extraction.md). Costs at most linear time, and is
 * bounded: of a very long text the beginning and the end are read.
 */
export function extractClaims(span: ExtractSpan, limits: Partial<ExtractLimits> = {}): Extraction {
  if (!ORIGINS.has(span.origin) || span.kind === "tool-call" || span.kind === "reasoning") {
    return NOTHING_EXTRACTED;
  }
  const { source, origin, tool } = span;
  const all = { ...DEFAULT_LIMITS, ...limits };
  const claims = source === undefined ? Math.min(all.claims, MAX_UNNAMED) : all.claims;
  const findings = new Findings({ ...all, claims });
  const lines = linesOf(span.text);
  const form = formOf(span, lines);
  addByForm(findings, form, span, lines);
  if (origin === "tool" && (source === undefined || form === "other")) {
    addTestResult(findings, lines);
    addVersions(findings, tool ?? "tool", lines);
  }
  addEdit(findings, lines, tool, source);
  return findings.result();
}

/** The extractor that works without a model. */
export const deterministicExtractor: ClaimExtractor = Object.freeze({
  name: "patterns/1",
  extract: (span: ExtractSpan) => extractClaims(span),
});

/**
 * Where a claim of this span holds. A tool prints one file after another, so without a source only
 * the same span is the same scope.
 */
function scopeOf({ id, origin, tool, source }: ExtractSpan): string {
  if (source !== undefined) return source;
  return origin === "tool" ? `${tool ?? "tool"}:${id}` : origin;
}

function addByForm(
  findings: Findings,
  form: Form,
  span: ExtractSpan,
  lines: readonly Line[],
): void {
  const scope = scopeOf(span);
  if (form === "prose") {
    addProse(findings, scope, lines, span.origin === "user" || span.source !== undefined);
  } else if (form === "flat" || form === "tree") {
    const settings = form === "flat" ? flatSettings(lines) : treeSettings(lines);
    for (const { setting, key } of named(settings)) addSetting(findings, scope, setting, key);
    if (span.source !== undefined) addRemarks(findings, scope, lines, settings);
  } else {
    addHedged(findings, scope, lines, form === "code");
    addNotes(findings, scope, lines);
  }
}

/** A constant at the top of a file, by its spelling. */
const CONSTANT =
  /^(?:export |pub |public |static |final )*(?:const |let |var |val )?[A-Z][A-Z\d]*_/;

/** In code and logs: what a remark beside it qualifies, and in code constants that are settings. */
function addHedged(
  findings: Findings,
  scope: string,
  lines: readonly Line[],
  isCode: boolean,
): void {
  for (const [at, line] of lines.entries()) {
    if (!/[=:]/.test(line.body)) continue;
    const keyed = keyedOf(line.body);
    if (keyed === undefined || !isSpecific(keyed.key)) continue;
    if (!isLiteral(keyed.value) && !/["'`]/.test(line.body)) continue;
    const hedge = hedgeBeside(lines, at, keyed, false);
    const constant = isCode && keyed.separator === "=" && CONSTANT.test(line.body);
    if (hedge === undefined && !constant) continue;
    const setting = { line, keyed, path: keyed.key, off: false };
    addSetting(findings, scope, hedge === undefined ? setting : { ...setting, hedge }, keyed.key);
  }
}
