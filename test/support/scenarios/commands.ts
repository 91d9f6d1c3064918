import type {
  AdmitSpan,
  AssertClaim,
  Batch,
  BatchItem,
  Json,
  ObserveSource,
  ProposePruning,
  PruningCandidate,
  Recall,
  RetractClaim,
  Rewrite,
  SettlePruning,
} from "@palimpsest/core";

/*
 * The commands of design §8 as short as a scenario says them. Further fields come last.
 */

export { evict, redo, rewind, undo } from "../algebra/say.ts";

/** A command of whatever form, or something a test sends in place of one. */
export type Sent = object;

/** What a span holds when the scenario does not care. */
export const textOf = (spanId: string): string => `text of ${spanId}`;

export const admit = (spanId: string, more: Partial<AdmitSpan> = {}): AdmitSpan => ({
  command: "admitSpan",
  spanId,
  origin: "user",
  content: textOf(spanId),
  ...more,
});

/** The assistant's tool call `call`, in span `call:<id>`. */
export const callSpan = (call: string, more: Partial<AdmitSpan> = {}): AdmitSpan =>
  admit(`call:${call}`, { origin: "assistant", kind: "tool-call", call, ...more });

/** Its result, in span `result:<id>`. */
export const resultSpan = (call: string, more: Partial<AdmitSpan> = {}): AdmitSpan =>
  admit(`result:${call}`, { origin: "tool", kind: "tool-result", call, ...more });

/** Rewrites `consumes` to the new span `spanId`. */
export const rewrite = (
  editId: string,
  consumes: readonly string[],
  spanId: string,
  content: Json = textOf(spanId),
  more: Partial<Rewrite> = {},
): Rewrite => ({ command: "rewrite", editId, consumes, spanId, content, ...more });

export const recall = (spanId: string, as: string): Recall => ({ command: "recall", spanId, as });

export const batch = (commands: readonly BatchItem[], more: Partial<Batch> = {}): Batch => ({
  command: "batch",
  commands,
  ...more,
});

/** A batch of whatever a test sends in place of commands. */
export const batchOf = (commands: readonly Sent[], more: Sent = {}): Sent => ({
  command: "batch",
  commands,
  ...more,
});

/** A fact that nothing is known of but what a scenario adds. */
export const fact = (claimId: string, more: Partial<AssertClaim> = {}): AssertClaim => ({
  command: "assertClaim",
  claimId,
  statement: `statement of ${claimId}`,
  ...more,
});

/** A decision that rests on these claims. */
export const decide = (
  claimId: string,
  claims: readonly string[],
  more: Partial<AssertClaim> = {},
): AssertClaim =>
  fact(claimId, { kind: "decision", because: claims.map((claim) => ({ claim })), ...more });

export const retract = (claimId: string, more: Partial<RetractClaim> = {}): RetractClaim => ({
  command: "retractClaim",
  claimId,
  reason: "it was wrong",
  ...more,
});

export const observe = (uri: string, digest: string | null): ObserveSource => ({
  command: "observeSource",
  uri,
  digest,
});

export const propose = (
  proposalId: string,
  candidates: readonly PruningCandidate[],
  more: Partial<ProposePruning> = {},
): ProposePruning => ({ command: "proposePruning", proposalId, candidates, ...more });

export const settle = (proposalId: string, more: Partial<SettlePruning> = {}): SettlePruning => ({
  command: "settlePruning",
  proposalId,
  ...more,
});
