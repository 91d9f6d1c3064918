import type { JsonObject } from "@palimpsest/core";
import type { Source } from "../draft/blocks.ts";
import { arrayAt, isObject, leftOver, objectAt, stringAt } from "../draft/blocks.ts";
import type { Draft } from "../draft/draft.ts";
import { clearSpans, closeTaken, replaceResult } from "../draft/edits.ts";
import type { LiveSpan } from "../draft/live.ts";
import { count } from "../report.ts";
import { CLEARED_RESULT } from "./blocks.ts";

/** What a compaction takes out of the view, fixed when its boundary is read. */
export interface Boundary {
  readonly from: Source;
  readonly takes: (span: LiveSpan) => boolean;
}

/**
 * A compaction takes what was in view at its boundary, but not the messages that the boundary names
 * as preserved: those stay as they are, after the summary. Calls that it takes are closed.
 */
export function boundaryOf(line: JsonObject, from: Source, draft: Draft): Boundary {
  const kept = preserved(objectAt(line, "compactMetadata"), draft.live.spans);
  closeTaken(draft, from, (span) => !kept.has(span));
  const before = new Set(draft.live.spans);
  return { from, takes: (span) => before.has(span) && !kept.has(span) };
}

function preserved(metadata: JsonObject | undefined, spans: readonly LiveSpan[]): Set<LiveSpan> {
  const messages = objectAt(metadata, "preservedMessages");
  const named = arrayAt(messages, "allUuids") ?? arrayAt(messages, "uuids");
  if (named) {
    const uuids = new Set(named);
    return new Set(spans.filter((span) => span.uuid !== undefined && uuids.has(span.uuid)));
  }
  const segment = objectAt(metadata, "preservedSegment");
  const head = spans.findIndex((span) => span.uuid === stringAt(segment, "headUuid"));
  const tail = spans.findLastIndex((span) => span.uuid === stringAt(segment, "tailUuid"));
  const isSegment = segment !== undefined && head >= 0 && tail >= head;
  return new Set(isSegment ? spans.slice(head, tail + 1) : []);
}

/** Old tool results were cleared from the view, without a summary. */
export function microcompact(line: JsonObject, from: Source, draft: Draft): void {
  const metadata = objectAt(line, "microcompactMetadata");
  for (const id of arrayAt(metadata, "compactedToolIds") ?? []) {
    replaceOrReport(draft, from, id, CLEARED_RESULT);
  }
  const attachments = new Set(arrayAt(metadata, "clearedAttachmentUUIDs") ?? []);
  clearSpans(draft, from, (span) => span.uuid !== undefined && attachments.has(span.uuid));
}

/** Results that the model saw in another form than the one on their own lines. */
export function contentReplacement(line: JsonObject, from: Source, draft: Draft): void {
  for (const each of arrayAt(line, "replacements") ?? [line.replacements]) {
    const replacement = stringAt(each, "replacement");
    const isReplacement = isObject(each) && replacement !== undefined;
    if (isReplacement) replaceOrReport(draft, from, each.toolUseId, replacement);
    if (isReplacement && !leftOver(each, ["kind", "toolUseId", "replacement"])) continue;
    count(draft.report.unplaced, "replacement of an unknown form", from.at);
  }
}

function replaceOrReport(draft: Draft, from: Source, id: unknown, replacement: string): void {
  if (typeof id === "string" && replaceResult(draft, from, id, replacement)) return;
  count(draft.report.unplaced, "replacement of a result that is not in view", from.at);
}
