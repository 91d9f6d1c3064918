import type { Json } from "@palimpsest/core";

/*
 * The commands of DESIGN §8 as short as a scenario says them. Further fields come last.
 */

/** A command, or something a test sends in place of one. */
export type Sent = Readonly<Record<string, unknown>>;
type More = Sent;

/** What a span holds when the scenario does not care. */
export const textOf = (spanId: string): string => `text of ${spanId}`;

export const admit = (spanId: string, more: More = {}): Sent => ({
  command: "admitSpan",
  spanId,
  origin: "user",
  content: textOf(spanId),
  ...more,
});

/** The assistant's tool call `call`, in span `call:<id>`. */
export const callSpan = (call: string, more: More = {}): Sent =>
  admit(`call:${call}`, { origin: "assistant", kind: "tool-call", call, ...more });

/** Its result, in span `result:<id>`. */
export const resultSpan = (call: string, more: More = {}): Sent =>
  admit(`result:${call}`, { origin: "tool", kind: "tool-result", call, ...more });

export const evict = (editId: string, consumes: readonly string[], more: More = {}): Sent => ({
  command: "evict",
  editId,
  consumes,
  ...more,
});

/** Rewrites `consumes` to the new span `spanId`. */
export const rewrite = (
  editId: string,
  consumes: readonly string[],
  spanId: string,
  content: Json = textOf(spanId),
  more: More = {},
): Sent => ({ command: "rewrite", editId, consumes, spanId, content, ...more });

export const undo = (editId: string, more: More = {}): Sent => ({
  command: "undo",
  editId,
  ...more,
});

export const redo = (editId: string, more: More = {}): Sent => ({
  command: "redo",
  editId,
  ...more,
});

export const rewind = (to: number, more: More = {}): Sent => ({ command: "rewind", to, ...more });

export const batch = (commands: readonly Sent[], more: More = {}): Sent => ({
  command: "batch",
  commands,
  ...more,
});
