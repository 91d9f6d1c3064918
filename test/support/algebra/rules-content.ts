import type { Json } from "@palimpsest/core/events";
import { digestOf, TOKENIZER, tokensOf } from "./json.ts";
import type { Rules } from "./rule.ts";
import type { Place } from "./walk.ts";

/* Design §3: contents, their digests and tokens, and the ids that are given once. */

export const contentRules = {
  /** SHA-256 of the stored content. */
  "content-digest": (place) =>
    contentsOf(place)
      .filter(({ content, digest }) => digestOf(content) !== digest)
      .map(({ spanId }) => `the content of ${spanId} does not hash to its digest`),

  /** By the tokenizer named when the window was opened; only the default one is known here. */
  "content-tokens": (place) => {
    const opened = place.walk.entries[0]?.event;
    if (opened?.type !== "WindowOpened" || opened.data.tokenizer !== TOKENIZER) return [];
    return contentsOf(place)
      .filter(({ content, tokens }) => tokensOf(content) !== tokens)
      .map(({ spanId, tokens }) => `the content of ${spanId} is not ${tokens} tokens`);
  },

  /** A recall stores no second copy, but repeats an earlier span that is not sealed. */
  recall: ({ event, before }) => {
    if (event.type !== "SpanAdmitted") return [];
    const { spanId, recallOf, content, digest, tokens } = event.data;
    if (recallOf === undefined) return content === undefined ? [`${spanId} has no content`] : [];
    const first = before.spans.get(recallOf);
    if (first === undefined) return [`${spanId} recalls ${recallOf}, which was never admitted`];
    const same = first.digest === digest && first.tokens === tokens;
    if (content !== undefined || !same) return [`${spanId} is not a recall of ${recallOf}`];
    return first.sealed ? [`${spanId} recalls ${recallOf}, which is sealed`] : [];
  },

  "span-id-twice": (place) =>
    bornAt(place)
      .filter((id) => place.before.spans.has(id))
      .map((id) => `span ${id} exists`),

  /** Call ids are unique for ever in a window: one call and one result each. */
  "call-id-twice": ({ event, before }) => {
    if (event.type !== "SpanAdmitted" || event.data.kind !== "tool-call") return [];
    const { call } = event.data;
    const known = [...before.spans.values()].some(
      (span) => call !== undefined && span.call === call && span.kind === "tool-call",
    );
    return known ? [`call ${call} was made before`] : [];
  },

  "read-known": ({ event, before }) => {
    if (event.type !== "SpansRead") return [];
    return event.data.spanIds
      .filter((id) => !before.spans.has(id))
      .map((id) => `span ${id} was read and never admitted`);
  },
} as const satisfies Rules;

interface Content {
  readonly spanId: string;
  readonly content: Json;
  readonly digest: string;
  readonly tokens: number;
}

function contentsOf({ event }: Place): Content[] {
  if (event.type === "SpanAdmitted") {
    const { content } = event.data;
    return content === undefined ? [] : [{ ...event.data, content }];
  }
  if (event.type !== "WindowEdited") return [];
  return event.data.creates === undefined ? [] : [event.data.creates];
}

function bornAt({ event }: Place): string[] {
  if (event.type === "SpanAdmitted") return [event.data.spanId];
  if (event.type !== "WindowEdited") return [];
  return event.data.creates === undefined ? [] : [event.data.creates.spanId];
}
