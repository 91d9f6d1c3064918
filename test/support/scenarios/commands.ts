import type { Json } from "@palimpsest/core";

/*
 * The commands of design §8 as short as a scenario says them. Further fields come last.
 */

export { evict, redo, rewind, undo } from "../algebra/say.ts";

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

/** Rewrites `consumes` to the new span `spanId`. */
export const rewrite = (
  editId: string,
  consumes: readonly string[],
  spanId: string,
  content: Json = textOf(spanId),
  more: More = {},
): Sent => ({ command: "rewrite", editId, consumes, spanId, content, ...more });

export const recall = (spanId: string, as: string): Sent => ({ command: "recall", spanId, as });

export const batch = (commands: readonly Sent[], more: More = {}): Sent => ({
  command: "batch",
  commands,
  ...more,
});

/** A fact that nothing is known of but what a scenario adds. */
export const fact = (claimId: string, more: More = {}): Sent => ({
  command: "assertClaim",
  claimId,
  statement: `statement of ${claimId}`,
  ...more,
});

/** A decision that rests on these claims. */
export const decide = (claimId: string, claims: readonly string[], more: More = {}): Sent =>
  fact(claimId, { kind: "decision", because: claims.map((claim) => ({ claim })), ...more });

export const retract = (claimId: string, more: More = {}): Sent => ({
  command: "retractClaim",
  claimId,
  reason: "it was wrong",
  ...more,
});

export const observe = (uri: string, digest: string | null): Sent => ({
  command: "observeSource",
  uri,
  digest,
});

/** What a proposal may name: an id, or a replacement. */
export type Candidate = string | { readonly consumes: readonly string[]; readonly content: Json };

export const propose = (
  proposalId: string,
  candidates: readonly Candidate[],
  more: More = {},
): Sent => ({ command: "proposePruning", proposalId, candidates, ...more });

export const settle = (proposalId: string, more: More = {}): Sent => ({
  command: "settlePruning",
  proposalId,
  ...more,
});
