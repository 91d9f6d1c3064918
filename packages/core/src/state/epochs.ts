import type { WindowEventOf } from "../events/schema.ts";
import type { Draft } from "./draft.ts";
import type { Write } from "./marks.ts";
import { LIVE } from "./marks.ts";

/* The fold of policies, epochs and pruning: who may settle what, and what was. */

/** How a host's own function stands in the stream: named and digested, not as a document. */
export function functionText({ name, digest }: { name: string; digest: string }): string {
  return `function ${JSON.stringify(name)} ${digest}`;
}

/** A policy that nobody can check from the stream alone. */
export function isFunction({ text }: { readonly text: string }): boolean {
  return text.startsWith("function ");
}

export function authorPolicy(
  draft: Draft,
  { policyId, text, epoch }: WindowEventOf<"PolicyAuthored">["data"],
  by: string,
): void {
  draft.policies = draft.policies.set(policyId, { id: policyId, text, by, epoch });
  draft.lastPolicy = policyId;
}

/** A new epoch starts without input or revived spans, on the old policy unless one is named. */
export function openEpoch(
  draft: Draft,
  { epoch, policyId }: WindowEventOf<"EpochOpened">["data"],
): void {
  draft.epoch = epoch;
  draft.epochHasInput = false;
  draft.revived = draft.revived.clear();
  if (policyId !== undefined) draft.activePolicy = policyId;
}

export function propose(
  draft: Draft,
  data: WindowEventOf<"PruningProposed">["data"],
  by: string,
): void {
  const { proposalId: id, policyId, baseRevision, candidates } = data;
  draft.proposals = draft.proposals.set(id, { id, by, policyId, baseRevision, candidates });
}

/** A settled proposal needs its candidates no more; they stay in the log. */
export function settleProposal(
  draft: Draft,
  { proposalId, outcome }: WindowEventOf<"PruningSettled">["data"],
): void {
  const proposal = draft.proposals.get(proposalId);
  if (proposal === undefined) return;
  draft.proposals = draft.proposals.set(proposalId, { ...proposal, candidates: [], outcome });
}

/** Somebody wanted these spans back: the next prune of this epoch may not take them again. */
export function revive(draft: Draft, writes: readonly Write[]): void {
  const back = writes.filter(({ before, after }) => before !== LIVE && after === LIVE);
  if (back.length > 0) draft.revived = draft.revived.union(back.map(({ span }) => span));
}
