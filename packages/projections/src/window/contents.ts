import type { Json, LogReader, RecordedWindowEvent } from "@palimpsest/core";
import { frozen, lostText, readContent } from "@palimpsest/core/host";
import type { Span, WindowState } from "@palimpsest/core/state";
import { contentRef, editAt, LIVE, markOf, spanAt } from "@palimpsest/core/state";
import type { ContentOf } from "@palimpsest/core/view";
import { Map as PersistentMap, Set as PersistentSet } from "immutable";

/** Stands for content that the store no longer holds as it was. */
const LOST = Symbol("lost");

/**
 * Content of the live spans, by span index: a value, so that a window that was handed out keeps
 * what it shows. Content of spans out of view is let go; it lies in the log.
 */
export interface Contents {
  readonly held: PersistentMap<number, Json | typeof LOST>;
  /** Live spans whose content was not in the events: they came back into view, or are recalls. */
  readonly missing: PersistentSet<number>;
}

export const noContents: Contents = { held: PersistentMap(), missing: PersistentSet() };

/** The contents after `events`, which led from `before` to `after`. */
export function followContents(
  contents: Contents,
  events: readonly RecordedWindowEvent[],
  before: WindowState,
  after: WindowState,
): Contents {
  const held = contents.held.asMutable();
  const missing = contents.missing.asMutable();
  let index = before.spans.size;
  for (const event of events) {
    const born = contentBornIn(event);
    if (born === undefined) continue;
    if (markOf(after, index) === LIVE) {
      if (born.content === undefined) missing.add(index);
      else held.set(index, frozen(born.content));
    }
    index += 1;
  }
  for (let ordinal = before.edits.size + 1; ordinal <= after.edits.size; ordinal += 1) {
    for (const { span } of editAt(after, ordinal).writes) {
      if (markOf(after, span) !== LIVE) {
        held.delete(span);
        missing.delete(span);
      } else if (!held.has(span)) missing.add(span);
    }
  }
  return { held: held.asImmutable(), missing: missing.asImmutable() };
}

/** The contents with those that are missing re-read from the log, by revision, and re-hashed. */
export async function completeContents(
  { held, missing }: Contents,
  state: WindowState,
  log: LogReader,
): Promise<Contents> {
  const spans = [...missing].map((index) => spanAt(state, index));
  const refs = spans.map((span) => contentRef(state, span));
  const facts = await readContent(log, state.window, refs);
  const complete = held.withMutations((map) => {
    for (const { index, contentRevision } of spans) {
      const fact = facts.get(contentRevision);
      map.set(index, fact?.intact === true ? frozen(fact.content) : LOST);
    }
  });
  return { held: complete, missing: missing.clear() };
}

/** The contents with those that are missing taken from `events`, which begin at revision 0. */
export function contentsFrom(
  { held, missing }: Contents,
  state: WindowState,
  events: readonly RecordedWindowEvent[],
): Contents {
  const complete = held.withMutations((map) => {
    for (const index of missing) {
      const event = events[spanAt(state, index).contentRevision];
      const content = event === undefined ? undefined : contentBornIn(event)?.content;
      map.set(index, content === undefined ? LOST : frozen(content));
    }
  });
  return { held: complete, missing: missing.clear() };
}

/** The contents of these live spans; those not in `known`, by index, are lost. */
export function contentsWith(spans: readonly Span[], known: ReadonlyMap<number, Json>): Contents {
  const held = spans.map(
    ({ index }) => [index, known.has(index) ? (known.get(index) as Json) : LOST] as const,
  );
  return { held: PersistentMap(held), missing: PersistentSet() };
}

/** Content of a live span. Content that the store lost is shown as lost, never made up. */
export function contentIn({ held }: Contents): ContentOf {
  return (span: Span) => {
    const content = held.get(span.index);
    return content === undefined || content === LOST ? lostText(span) : content;
  };
}

/** What a span is born with; undefined for an event without one. A recall has no content. */
function contentBornIn(event: RecordedWindowEvent): { content?: Json } | undefined {
  if (event.type === "SpanAdmitted") return event.data;
  return event.type === "WindowEdited" ? event.data.creates : undefined;
}
