import type { CommandOf, FinderWindow, Json } from "@palimpsest/core";
import { contentText } from "@palimpsest/core";
import type { Span } from "@palimpsest/core/state";
import { ABSENT, markOf, spanAt } from "@palimpsest/core/state";
import type { Overtaken } from "./overtaken-statements.ts";
import { changedStatement } from "./overtaken-statements.ts";
import { marksIn } from "./used-lines.ts";

/** Spans of one source that an observation puts in doubt. */
const MAX_CHANGED = 5;

/** What was read of a source before it was found to hold something else. */
export async function changedSource(
  window: FinderWindow,
  { uri, digest }: CommandOf<"observeSource">,
): Promise<Overtaken | undefined> {
  const { state } = window;
  if (state.sources.get(uri) === digest) return undefined;
  const spans = (state.spansOf.get(uri) ?? [])
    .map((index) => spanAt(state, index))
    .filter(
      (span) =>
        span.recallIndex === undefined &&
        span.source?.digest !== digest &&
        markOf(state, span.index) !== ABSENT,
    )
    .slice(-MAX_CHANGED)
    .reverse();
  if (spans.length === 0) return undefined;
  const said = saidSince(window, Math.min(...spans.map(({ index }) => index)));
  const contents = await window.read([...spans, ...said]);
  const ids = spans.map(({ id }) => id);
  return {
    scope: uri,
    note: "read before the source changed",
    later: {
      statement: changedStatement(uri, ids, digest === null),
      ...(digest !== null && { because: [{ uri, digest }] }),
    },
    earlier: spans.flatMap(({ id: spanId, index }) => {
      const content = contents.get(index);
      return content === undefined ? [] : [{ spanId, text: contentText(content) }];
    }),
    used: usedIn(said, contents),
  };
}

/** Texts of the model after a read that are looked at for what it used. */
const MAX_TEXTS = 40;
const MAX_TEXT = 4_000;

/** What the model said next after it read something, in view or not. */
function saidSince({ state }: FinderWindow, read: number): Span[] {
  const spans: Span[] = [];
  for (let i = read + 1; i < state.spans.size && spans.length < MAX_TEXTS; i += 1) {
    const span = spanAt(state, i);
    const speaks = span.origin === "assistant" && span.kind !== "tool-call";
    if (speaks && span.recallIndex === undefined && markOf(state, i) !== ABSENT) spans.push(span);
  }
  return spans;
}

function usedIn(said: readonly Span[], contents: ReadonlyMap<number, Json>): Set<string> {
  const texts = said.map(({ index }) => contentText(contents.get(index) ?? "").slice(0, MAX_TEXT));
  return new Set(texts.flatMap((text) => [...marksIn(text)]));
}
