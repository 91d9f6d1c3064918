import { sha256Hex } from "#platform";
import type { Fold } from "../fold/fold.ts";
import type { Policy } from "../fold/policies.ts";
import type { EventRule } from "./rule.ts";
import { partyOf } from "./rule.ts";
import { applyDiff, withoutLastBreak } from "./unified-diff.ts";

/* Design §6: policies, epochs, and who settles. What a settlement does is in settlement.ts. */

const family = "policy";

export const policyEventRules: readonly EventRule[] = [
  {
    code: "policy-id-twice",
    family,
    proves: "No policy id is given twice.",
    on: ["PolicyAuthored"],
    check: ({ event, fold: { policies } }) =>
      event.type === "PolicyAuthored" && policies.find(event.data.policyId) !== undefined
        ? `policy ${event.data.policyId} was authored before`
        : undefined,
  },
  {
    code: "policy-digest",
    family,
    proves: "The digest of a policy is that of its text.",
    on: ["PolicyAuthored"],
    check: ({ event }) =>
      event.type === "PolicyAuthored" && sha256Hex(event.data.text) !== event.data.digest
        ? `the text of policy ${event.data.policyId} does not hash to its digest`
        : undefined,
  },
  {
    code: "policy-diff",
    family,
    proves: "A policy follows the one authored last, and its diff turns that text into its own.",
    on: ["PolicyAuthored"],
    check: ({ event, fold: { policies } }) => {
      if (event.type !== "PolicyAuthored") return undefined;
      const { policyId, previous, diff, text } = event.data;
      const { last } = policies;
      if (previous !== last?.id) {
        return `policy ${policyId} follows ${previous ?? "none"}, not ${last?.id ?? "none"}`;
      }
      const result = applyDiff(last?.text ?? "", diff);
      if (result === withoutLastBreak(text)) return undefined;
      return `the diff of policy ${policyId} does not lead to its text`;
    },
  },
  {
    code: "policy-epoch",
    family,
    proves: "A policy says in which epoch it was authored.",
    on: ["PolicyAuthored"],
    check: ({ event, fold: { policies } }) =>
      event.type === "PolicyAuthored" && event.data.epoch !== policies.epoch
        ? `policy ${event.data.policyId} says epoch ${event.data.epoch}, not ${policies.epoch}`
        : undefined,
  },
  {
    code: "epoch-order",
    family,
    proves: "Epochs are numbered 1, 2, 3 … and never go back.",
    on: ["EpochOpened"],
    check: ({ event, fold }) => {
      if (event.type !== "EpochOpened") return undefined;
      const { epoch, policyId } = event.data;
      if (isTooYoung(fold, fold.policies.find(policyId), epoch)) return undefined;
      const expected = fold.policies.epoch + 1;
      return epoch === expected ? undefined : `epoch ${epoch} opens where ${expected} is next`;
    },
  },
  {
    code: "policy-same-epoch",
    family,
    proves: "The active policy of an epoch is older than the epoch and the append that opens it.",
    on: ["EpochOpened"],
    check: ({ event, fold }) => {
      if (event.type !== "EpochOpened") return undefined;
      const { epoch, policyId } = event.data;
      return isTooYoung(fold, fold.policies.find(policyId), epoch)
        ? `policy ${policyId} is activated in the epoch, or by the append, that wrote it`
        : undefined;
    },
  },
  {
    code: "epoch-policy",
    family,
    proves: "An epoch is opened under a policy that was authored, and not by its author.",
    on: ["EpochOpened"],
    check: ({ event, fold: { policies } }) => {
      if (event.type !== "EpochOpened" || event.data.policyId === undefined) return undefined;
      const policy = policies.find(event.data.policyId);
      if (policy === undefined) return `policy ${event.data.policyId} was never authored`;
      return policy.by === event.metadata.by
        ? `${policy.by} opens an epoch under policy ${policy.id}, which it authored`
        : undefined;
    },
  },
  {
    code: "epoch-fed",
    family,
    proves: "A user or tool span was admitted in every epoch that was closed.",
    on: ["EpochOpened"],
    check: ({ event, fold: { policies } }) =>
      event.type === "EpochOpened" && !policies.wasFed
        ? `epoch ${policies.epoch} closes without a user or tool span`
        : undefined,
  },
  {
    code: "proposal-id-twice",
    family,
    proves: "No proposal id is given twice.",
    on: ["PruningProposed"],
    check: ({ event, fold: { policies } }) =>
      event.type === "PruningProposed" && policies.proposal(event.data.proposalId) !== undefined
        ? `proposal ${event.data.proposalId} was made before`
        : undefined,
  },
  {
    code: "proposal-policy",
    family,
    proves: "A proposal that names a policy names one that was authored.",
    on: ["PruningProposed"],
    check: ({ event, fold: { policies } }) => {
      if (event.type !== "PruningProposed") return undefined;
      const { proposalId, policyId } = event.data;
      return policyId === undefined || policies.find(policyId) !== undefined
        ? undefined
        : `proposal ${proposalId} is made under ${policyId}, which was never authored`;
    },
  },
  {
    code: "proposal-base",
    family,
    proves: "A proposal is made on a revision that was there when it was made.",
    on: ["PruningProposed"],
    check: ({ event }) =>
      event.type === "PruningProposed" && event.data.baseRevision >= event.revision
        ? `proposal ${event.data.proposalId} is made on revision ${event.data.baseRevision}, which is not there yet`
        : undefined,
  },
  {
    code: "settled-once",
    family,
    proves:
      "Every settlement is about a proposal made before it, and each proposal is settled once.",
    on: ["PruningSettled"],
    check: ({ event, fold: { policies } }) => {
      if (event.type !== "PruningSettled") return undefined;
      const { proposalId } = event.data;
      const proposal = policies.proposal(proposalId);
      if (proposal === undefined) return `${proposalId} is settled and was never proposed`;
      return proposal.settled ? `proposal ${proposalId} is settled twice` : undefined;
    },
  },
  {
    code: "self-commit",
    family,
    proves:
      "Nobody settles their own proposal or one under their own policy, unless unattended, and " +
      "the model's party settles none.",
    on: ["PruningSettled"],
    check: ({ event, fold: { policies } }) => {
      if (event.type !== "PruningSettled") return undefined;
      const { by } = event.metadata;
      const { proposalId, unattended } = event.data;
      if (partyOf(by) === "model") return `${by} settles ${proposalId}`;
      const proposal = policies.proposal(proposalId);
      const author = policies.find(proposal?.policyId)?.by;
      if (unattended || (proposal?.by !== by && author !== by)) return undefined;
      return `${by} settles ${proposalId}, which is its own or under its own policy`;
    },
  },
];

/** Authored in the epoch that is to open, or by the very append that opens it. */
function isTooYoung({ append }: Fold, policy: Policy | undefined, epoch: number): boolean {
  return policy !== undefined && (policy.epoch >= epoch || policy.append === append);
}
