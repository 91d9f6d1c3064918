import type { ClaimExtractor, Extraction, ExtractLimits, ExtractSpan } from "./extraction.ts";
import { DEFAULT_LIMITS, NOTHING_EXTRACTED } from "./extraction.ts";
import { addInlineSettings, isSettingsLike } from "./inline-settings.ts";
import { isSpecific, keyedOf } from "./keyed.ts";
import type { Line } from "./lines.ts";
import { linesOf } from "./lines.ts";
import { addNotes, addProse } from "./prose.ts";
import { heaviest, rarityOf } from "./rarity.ts";
import { addEdit, addTestResult, addVersions, isEditing } from "./results.ts";
import { isLiteral } from "./scalars.ts";
import type { Setting } from "./settings.ts";
import {
  addRemarks,
  addSetting,
  flatSettings,
  hedgeBeside,
  named,
  treeSettings,
} from "./settings.ts";
import { SpanClaims } from "./span-claims.ts";
import { addStatedRules } from "./stated-rules.ts";
import { addRun, isRun } from "./test-runs.ts";
import type { Form } from "./text-forms.ts";
import { formOf } from "./text-forms.ts";
import { partsOf, stemOf } from "./words.ts";

/** Origins whose words are not the model's or the host's own. */
const ORIGINS = new Set(["user", "system", "tool"]);

/** Most claims of a text whose source nobody named. */
const MAX_UNNAMED = 12;

/**
 * Proposes claims from the words of a span, and conflicts between them. Deterministic: patterns, no
 * model. Conservative: code is full of `a = b` and prose of `x: y`, so outside of settings only
 * what is hedged counts (docs/decisions/policy-extraction.md). Costs at most linear time, and is
 * bounded: it reads the beginning and the end of a very long text.
 */
export function extractClaims(span: ExtractSpan, limits: Partial<ExtractLimits> = {}): Extraction {
  if (!ORIGINS.has(span.origin) || span.kind === "tool-call" || span.kind === "reasoning") {
    return NOTHING_EXTRACTED;
  }
  const { source, origin, tool } = span;
  const all = { ...DEFAULT_LIMITS, ...limits };
  const claims = source === undefined ? Math.min(all.claims, MAX_UNNAMED) : all.claims;
  const findings = new SpanClaims({ ...all, claims });
  const lines = linesOf(span.text);
  const form = formOf(span, lines);
  addByForm(findings, form, span, lines);
  if (origin === "tool" && (source === undefined || form === "other")) {
    if (!isRun(span)) addTestResult(findings, lines);
    addVersions(findings, tool ?? "tool", lines);
  }
  if (origin === "tool") addRun(findings, span, lines);
  addEdit(findings, lines, tool, source);
  return findings.result();
}

/** The extractor that works without a model. */
export const deterministicExtractor: ClaimExtractor = Object.freeze({
  name: "patterns/2",
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
  findings: SpanClaims,
  form: Form,
  span: ExtractSpan,
  lines: readonly Line[],
): void {
  const scope = scopeOf(span);
  if (form === "prose") {
    addProse(findings, scope, lines, span.origin === "user" || span.source !== undefined);
    const read = span.origin === "tool" && span.source !== undefined && !isEditing(span.tool);
    if (read) addStatedRules(findings, scope, lines);
  } else if (form === "flat" || form === "tree") {
    const settings = form === "flat" ? flatSettings(lines) : treeSettings(lines);
    // What a tool that writes says is not what the file holds.
    if (!isEditing(span.tool)) {
      addInlineSettings(findings, scope, unread(lines, settings), { sets: true, most: MAX_UNREAD });
    }
    for (const { setting, key } of mostTelling(named(settings))) {
      addSetting(findings, scope, setting, key);
    }
    if (span.source !== undefined) addRemarks(findings, scope, lines, settings);
  } else {
    addHedged(findings, scope, lines, form === "code");
    if (span.source !== undefined && isSettingsLike(span.source)) {
      addInlineSettings(findings, scope, lines, { sets: true, most: MAX_INLINE });
    }
    addNotes(findings, scope, lines);
  }
}

/** Settings of other forms that are kept of a file, and of one that has plain ones too. */
const MAX_INLINE = 24;
const MAX_UNREAD = 12;

/**
 * The lines of a file of settings that are not settings themselves: records, lists, inline tables.
 */
function unread(lines: readonly Line[], settings: readonly Setting[]): Line[] {
  const read = new Set(settings.map(({ line }) => line));
  return lines.filter((line) => !read.has(line) && line.body.length > 0);
}

/** Settings with those first that are told apart by their names: a long file has too many. */
function mostTelling(settings: readonly { readonly setting: Setting; readonly key: string }[]) {
  // Numbers tell apart what is one of a series.
  const rare = rarityOf(
    settings.map(
      ({ key }) => new Set(partsOf(key).map((part) => stemOf(part.replace(/\d+/g, "0")))),
    ),
  );
  const weights = settings.map(({ setting: { hedge, keyed }, key }, i) => {
    const literal = isLiteral(keyed.value) ? 1 : 0;
    return (hedge === undefined ? 0 : 4) + (isSpecific(key) ? 2 : 0) + literal + 3 * (rare[i] ?? 0);
  });
  const told = heaviest(settings, weights, DEFAULT_LIMITS.claims);
  const first = new Set(told);
  return [...told, ...settings.filter((one) => !first.has(one))];
}

/** A constant at the top of a file, by its spelling. */
const CONSTANT =
  /^(?:export |pub |public |static |final )*(?:const |let |var |val )?[A-Z][A-Z\d]*_/;

/** In code and logs: what a remark beside it qualifies, and in code constants that are settings. */
function addHedged(
  findings: SpanClaims,
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
