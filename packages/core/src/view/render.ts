import { contentText } from "../json/digest.ts";
import type { Json } from "../json/json.ts";
import { editAt } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import type { Gap } from "./gaps.ts";
import { coveredBy, windowItems } from "./gaps.ts";
import { ledgerLines } from "./ledger.ts";
import { escapeContent, oneLineJson } from "./text.ts";

/** Names the byte format of docs/rendering.md; a change of one byte is a new name. */
export const RENDERER = "palimpsest/1";

/** Most edit ids on a gap line; all are counted. */
const MAX_GAP_EDITS = 16;

/** Gives the content of a live span. */
export type ContentOf = (span: Span) => Json;

/**
 * The window as the model sees it: live spans in order of position, a line for every gap, the
 * evidence ledger last. A pure function of the state and of the content of its live spans.
 */
export function renderWindow(state: WindowState, contentOf: ContentOf): string {
  const lines: string[] = [];
  for (const item of windowItems(state)) {
    if (item.kind === "gap") lines.push(gapLine(item.gap));
    else lines.push(spanLine(state, item.span), body(contentOf(item.span)));
  }
  lines.push(ledgerLine(state), ...ledgerLines(state), "");
  return lines.join("\n");
}

function body(content: Json): string {
  return escapeContent(contentText(content));
}

function spanLine(state: WindowState, span: Span): string {
  const words = ["::span", span.id, span.origin, span.kind];
  if (span.json) words.push("json");
  if (span.call !== undefined) words.push("call", span.call);
  if (span.tool !== undefined) {
    words.push("tool", oneLineJson(span.tool.name));
    if (span.tool.status !== undefined) words.push("status", span.tool.status);
  }
  const covers = coveredBy(state, span);
  if (covers !== undefined && span.createdBy !== undefined) {
    words.push("covers", String(covers.length), "edit", editAt(state, span.createdBy).id);
  }
  if (span.recallOf !== undefined) words.push("recall", span.recallOf);
  return words.join(" ");
}

function gapLine({ spans, edits }: Gap): string {
  const named = edits.slice(0, MAX_GAP_EDITS).join(" ");
  return (
    `::gap spans ${spans.length} edits ${edits.length}: ${named} ` +
    "(out of view; undo an edit to see its spans)"
  );
}

function ledgerLine(state: WindowState): string {
  const edits = state.edits.size;
  const { recordCount: records, outOfView } = state;
  // Shown at a record: its edit is the event after it.
  const coming = state.openRecord?.revision === state.revision ? 1 : 0;
  const isEven = state.unclosedCount === 0 && (records === edits || records === edits + coming);
  const alarm = isEven ? "" : "; ALARM: edits and records differ";
  return `::ledger edits ${edits}, records ${records}, ${outOfView} spans out of view${alarm}`;
}
