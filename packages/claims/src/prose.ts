import { isHedge, isQualified, isRule } from "./hedges.ts";
import { commentOf } from "./keyed.ts";
import type { Line } from "./lines.ts";
import { isLiteral } from "./scalars.ts";
import type { SpanClaims } from "./span-claims.ts";
import type { Stated } from "./stated-values.ts";
import { namesOf, statedIn } from "./stated-values.ts";

/** Most sentences of one span that are kept for naming something that is qualified in general. */
const MAX_REMARKS = 5;

/** Adds what the sentences of a document or of a person say; remarks only where told. */
export function addProse(
  findings: SpanClaims,
  scope: string,
  lines: readonly Line[],
  withRemarks: boolean,
): void {
  let remarks = withRemarks ? 0 : MAX_REMARKS;
  let fenced = false;
  for (const { body, raw } of lines) {
    const text = body.trimStart().replace(/^(?:[-*>#]+|\d+[.)]) /, "");
    if (text.startsWith("```")) fenced = !fenced;
    if (fenced || text === "" || /^[|<]/.test(text)) continue;
    const stated = statedIn(text);
    if (stated !== undefined) addStated(findings, scope, text, raw, stated);
    else if (remarks < MAX_REMARKS && isQualified(text) && namesOf(text).length > 0) {
      remarks += 1;
      findings.add({ statement: text, scope, quote: raw });
    }
  }
}

/** Adds what single lines of logs, listings and comments in code say of a name, if hedged. */
export function addNotes(findings: SpanClaims, scope: string, lines: readonly Line[]): void {
  for (const { body, raw } of lines) {
    const text = commentOf(body) ?? body.trim();
    if (!/\d|true|false/.test(text) || !/[_`]|[a-z][A-Z]/.test(text)) continue;
    if (!isHedge(text, false) && !isRule(text)) continue;
    const stated = statedIn(text);
    // Words joined to a name are too often no name in a log.
    if (stated === undefined || !isLiteral(stated.value) || !text.includes(stated.key)) continue;
    addStated(findings, scope, text, raw, stated);
  }
}

function addStated(
  findings: SpanClaims,
  scope: string,
  statement: string,
  quote: string,
  { key, value, before }: Stated,
): void {
  findings.add({ statement, scope, key, value, quote });
  if (before !== undefined) findings.add({ statement, scope, key, value: before, quote });
}
