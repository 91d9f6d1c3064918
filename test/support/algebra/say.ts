import type { CommandOf } from "@palimpsest/core";

/* Commands in short, as the library takes them, for histories that are written by hand. */

type Rest<N extends "admitSpan" | "rewrite" | "evict" | "undo" | "redo" | "rewind"> = Omit<
  Partial<CommandOf<N>>,
  "command"
>;

/** Admits a text span of the user; its content is its id. */
export function admit(spanId: string, rest: Rest<"admitSpan"> = {}): CommandOf<"admitSpan"> {
  return { command: "admitSpan", spanId, origin: "user", content: spanId, ...rest };
}

/** Admits a call of the assistant. */
export function call(spanId: string, callId: string, rest: Rest<"admitSpan"> = {}) {
  return admit(spanId, { origin: "assistant", kind: "tool-call", call: callId, ...rest });
}

/** Admits the result of a call. */
export function result(spanId: string, callId: string, rest: Rest<"admitSpan"> = {}) {
  return admit(spanId, { origin: "tool", kind: "tool-result", call: callId, ...rest });
}

/** Rewrites spans into one whose content is its id. */
export function rewrite(
  editId: string,
  consumes: string[],
  spanId: string,
  rest: Rest<"rewrite"> = {},
): CommandOf<"rewrite"> {
  return { command: "rewrite", editId, consumes, spanId, content: spanId, ...rest };
}

export function evict(
  editId: string,
  consumes: readonly string[],
  rest: Rest<"evict"> = {},
): CommandOf<"evict"> {
  return { command: "evict", editId, consumes: [...consumes], ...rest };
}

export function undo(editId: string, rest: Rest<"undo"> = {}): CommandOf<"undo"> {
  return { command: "undo", editId, ...rest };
}

export function redo(editId: string, rest: Rest<"redo"> = {}): CommandOf<"redo"> {
  return { command: "redo", editId, ...rest };
}

export function rewind(to: number, rest: Rest<"rewind"> = {}): CommandOf<"rewind"> {
  return { command: "rewind", to, ...rest };
}
