import type { Origin, SpanKind } from "../events/schema.ts";

/*
 * All that a policy sees (design §7): nothing of records, edits, verdicts, consumed spans or
 * content. Ages are in messages. Counts are whole numbers ≥ 0.
 */

/** How the tool said its call ended. */
export type ToolStatus = "ok" | "error" | "denied" | "interrupted";

/** One live span. */
export interface SpanFacts {
  /** Id of the span. */
  readonly id: string;
  /** What the content is. */
  readonly kind: SpanKind;
  /** Who the content is from. */
  readonly origin: Origin;
  /** Tokens of the content. */
  readonly tokens: number;
  /** Messages admitted since its own. */
  readonly age: number;
  /** Messages admitted since it was last read, or since its own if it never was. */
  readonly idle: number;
  /** Times it was cited, recalled or read again. */
  readonly reads: number;
  /** Unretracted claims that it carries. */
  readonly claims: number;
  /** It carries a side of an open conflict. */
  readonly contested: boolean;
  /** No rewrite or evict takes it. */
  readonly pinned: boolean;
  /** It is the product of a rewrite. */
  readonly edited: boolean;
  /** Absent where no tool said (docs/decisions/policy-status.md). */
  readonly status?: ToolStatus;
}

/** The window as a policy sees it. */
export interface WindowFacts {
  /** Of the window as rendered. */
  readonly tokens: number;
  /** 0: the window has none. */
  readonly budget: number;
  /** Number of the epoch, from 1. */
  readonly epoch: number;
}

/** A copy that nobody can change: what a host's own function is handed. */
export function frozenFacts(
  window: WindowFacts,
  spans: readonly SpanFacts[],
): { readonly window: WindowFacts; readonly spans: readonly SpanFacts[] } {
  return Object.freeze({
    window: Object.freeze({ ...window }),
    spans: Object.freeze(spans.map((span) => Object.freeze({ ...span }))),
  });
}
