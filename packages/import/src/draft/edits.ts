import { contentDigest } from "@palimpsest/core";
import { wellFormed } from "../exact-json.ts";
import { admitMessage, closeCalls } from "./admit.ts";
import type { Block, Source } from "./blocks.ts";
import type { Draft } from "./draft.ts";
import type { LiveSpan } from "./live.ts";

/**
 * A compaction: what is wanted leaves the view and the summary takes its place, in one append.
 * A rewrite where the window allows one; else an evict, and the summary comes last.
 */
export function compact(draft: Draft, summary: Block, wanted: (span: LiveSpan) => boolean): void {
  const { at } = summary.from;
  draft.report.compactions += 1;
  const editId = `compaction-${draft.report.compactions}`;
  draft.note("compaction", at, editId);
  const consumed = draft.live.takeable(wanted);
  if (!mayRewrite(draft, consumed)) {
    if (consumed.length > 0) evict(draft, editId, consumed);
    admitMessage(draft, { blocks: [summary] });
    return;
  }
  const spanId = draft.spanIds.name(at);
  draft.push({
    command: "rewrite",
    editId,
    consumes: consumed.map((span) => span.spanId),
    content: draft.stored(summary.content, summary.from, spanId),
    spanId,
  });
  draft.report.messages += 1;
  draft.report.spans += 1;
  draft.live.replace(consumed, { spanId, origin: "host", at });
}

/** A rewrite takes neighbours only; of one span it would be another wording, not a summary. */
function mayRewrite(draft: Draft, consumed: readonly LiveSpan[]): boolean {
  return consumed.length > 1 && draft.live.areContiguous(consumed);
}

/** A compaction that leaves some messages in place: the rest leaves, `added` comes after. */
export function replaceHistory(
  draft: Draft,
  from: Source,
  wanted: (span: LiveSpan) => boolean,
  added: readonly (readonly Block[])[],
): void {
  closeTaken(draft, from, wanted);
  draft.report.compactions += 1;
  const editId = `compaction-${draft.report.compactions}`;
  draft.note("compaction", from.at, editId);
  const consumed = draft.live.takeable(wanted);
  if (consumed.length > 0) evict(draft, editId, consumed);
  for (const blocks of added) admitMessage(draft, { blocks });
}

/** The recorder dropped whole spans from the model's view and left nothing in their place. */
export function clearSpans(draft: Draft, from: Source, wanted: (span: LiveSpan) => boolean): void {
  const consumed = draft.live.takeable(wanted);
  if (consumed.length === 0) return;
  draft.report.clearedResults += 1;
  const editId = `cleared-${draft.report.clearedResults}`;
  evict(draft, editId, consumed);
  draft.note("cleared-result", from.at, editId);
}

/** The session went back: what came since leaves the view. */
export function rollBack(draft: Draft, from: Source, wanted: (span: LiveSpan) => boolean): void {
  closeTaken(draft, from, wanted);
  const consumed = draft.live.takeable((span) => wanted(span) || span.at === from.at);
  if (consumed.length === 0) return;
  draft.report.rollbacks += 1;
  const editId = `rollback-${draft.report.rollbacks}`;
  evict(draft, editId, consumed);
  draft.note("rollback", from.at, editId);
}

/** Closes the open calls among what an edit takes. A call that stays in view stays open. */
export function closeTaken(draft: Draft, from: Source, wanted: (span: LiveSpan) => boolean): void {
  const calls = new Set(draft.live.takeable(wanted).map((span) => span.call));
  closeCalls(draft, from, (open) => calls.has(open.call));
}

function evict(draft: Draft, editId: string, consumed: readonly LiveSpan[]): void {
  draft.push({ command: "evict", editId, consumes: consumed.map((span) => span.spanId) });
  draft.live.remove(consumed);
}

/**
 * The recorder cleared or shortened a result in the model's view. Answers false when no live result
 * of such a call is there.
 */
export function replaceResult(
  draft: Draft,
  from: Source,
  recordedId: string,
  replacement: string,
): boolean {
  const call = draft.calls.named(recordedId);
  const result = draft.live.spans.find((span) => span.isResult === true && span.call === call);
  if (call === undefined || result === undefined) return false;
  const digest = contentDigest(wellFormed(replacement));
  if (result.digest === digest) return true;
  draft.report.clearedResults += 1;
  const editId = `cleared-${draft.report.clearedResults}`;
  const spanId = draft.spanIds.name(from.at);
  const content = draft.stored(replacement, from, spanId);
  draft.push({ command: "rewrite", editId, consumes: [result.spanId], content, spanId });
  draft.report.spans += 1;
  draft.note("cleared-result", from.at, editId);
  draft.live.replace([result], { ...result, spanId, origin: "host", digest });
  return true;
}
