import type { Json } from "@palimpsest/core/events";
import type { Fold } from "../fold/fold.ts";
import { NONE } from "../fold/spans.ts";
import { contentText } from "../json/canonical.ts";
import { claimLines } from "./claim-lines.ts";
import { escaped, oneLine } from "./text.ts";

/* The verifier's own rendering, written from docs/rendering.md alone. */

/** The byte format this file implements. */
export const RENDERER = "palimpsest/1";

/** Most edits that a gap line names. */
const NAMED_EDITS = 16;

/** Undefined when the content of a live span cannot be had: then there is nothing to compare. */
export function render(
  fold: Fold,
  contentAt: (revision: number) => Json | undefined,
): string | undefined {
  const { spans, slots } = fold;
  let text = "";
  let gap: number[] = [];
  for (const span of slots.shown()) {
    if (!spans.isLive(span)) {
      gap.push(span);
      continue;
    }
    const content = contentAt(spans.contentRevision(span));
    if (content === undefined) return undefined;
    text += gapLine(fold, gap);
    gap = [];
    text += `${spanLine(fold, span)}\n${escaped(contentText(content))}\n`;
  }
  const ledger = [ledgerLine(fold), ...claimLines(fold)];
  return `${text}${gapLine(fold, gap)}${ledger.join("\n")}\n`;
}

/** Content revisions of the live spans: what a rendering needs. */
export function liveContents({ spans, slots }: Fold): number[] {
  const revisions: number[] = [];
  for (const span of slots.shown()) {
    if (spans.isLive(span)) revisions.push(spans.contentRevision(span));
  }
  return revisions;
}

function spanLine({ spans, edits }: Fold, span: number): string {
  const words = ["::span", spans.id(span), spans.origin(span), spans.kind(span)];
  if (spans.isJson(span)) words.push("json");
  const call = spans.calls.nameOf(span);
  if (call !== undefined) words.push("call", call);
  const tool = spans.tool(span);
  if (tool !== undefined) words.push("tool", oneLine(tool.name));
  if (tool?.status !== undefined) words.push("status", tool.status);
  const edit = spans.createdBy(span);
  if (edit > 0) {
    words.push("covers", String(edits.writeCount(edit) - 1), "edit", edits.id(edit));
  }
  const recalled = spans.recallOf(span);
  if (recalled !== NONE) words.push("recall", spans.id(recalled));
  return words.join(" ");
}

function gapLine({ spans, edits }: Fold, gap: readonly number[]): string {
  if (gap.length === 0) return "";
  const takers = [...new Set(gap.map((span) => spans.mark(span)))].sort((a, b) => a - b);
  const named = takers.slice(0, NAMED_EDITS).map((number) => edits.id(number));
  return (
    `::gap spans ${gap.length} edits ${takers.length}: ${named.join(" ")} ` +
    "(out of view; undo an edit to see its spans)\n"
  );
}

function ledgerLine({ edits, records, record, consumed, unclosed }: Fold): string {
  // The fold keeps a record for as long as it is the last event: then its edit is still to come.
  const awaitsEdit = record !== undefined && records === edits.size + 1;
  const isEven = unclosed === 0 && (edits.size === records || awaitsEdit);
  const alarm = isEven ? "" : "; ALARM: edits and records differ";
  return `::ledger edits ${edits.size}, records ${records}, ${consumed} spans out of view${alarm}`;
}
