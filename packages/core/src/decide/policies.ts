import { sha256Hex } from "#platform";
import { refusal } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import { unifiedDiff } from "../policy/diff.ts";
import { parsePolicy } from "../policy/document.ts";
import { selectCandidates } from "../policy/select.ts";
import { isFunction } from "../state/epochs.ts";
import type { WindowState } from "../state/state.ts";
import { bundleOf, spanFacts, windowFacts } from "../view/policy-facts.ts";
import { mintPolicyId, mintProposalId } from "./ids.ts";
import type { Act, Outcome } from "./outcome.ts";
import { events, NOTHING, refuse, refused } from "./outcome.ts";

export function decideAuthor(
  state: WindowState,
  { policyId, document }: CommandOf<"authorPolicy">,
  { trusted }: Act,
): Outcome {
  const text = typeof document === "string" ? document : JSON.stringify(document, null, 2);
  const parsed = parsePolicy(text);
  if (!parsed.ok && !(trusted && isFunction({ text }))) {
    const problems = parsed.problems.slice(0, 20);
    return refused(
      refusal("invalid-policy", `${problems.join("; ")}: see docs/policies`, { problems }),
    );
  }
  if (policyId !== undefined && state.policies.has(policyId)) {
    return refuse("id-taken", `a policy ${policyId} exists already: choose another id`, {
      policyId,
    });
  }
  const previous = state.lastPolicy;
  const before = previous === undefined ? "" : (state.policies.get(previous)?.text ?? "");
  return events({
    type: "PolicyAuthored",
    data: {
      policyId: policyId ?? mintPolicyId(state),
      text,
      digest: sha256Hex(text),
      ...(previous !== undefined && { previous }),
      diff: unifiedDiff(before, text),
      epoch: state.epoch,
    },
  });
}

/** Closes the epoch and opens the next one, which runs on another policy or on the same. */
export function decideOpenEpoch(
  state: WindowState,
  { policyId }: CommandOf<"openEpoch">,
  { by, start }: Act,
): Outcome {
  const policy = policyId === undefined ? undefined : state.policies.get(policyId);
  if (policyId !== undefined && policy === undefined) return refused(unknownPolicy(policyId));
  // A batch may open an epoch in between, in which nobody could have looked at the policy.
  const isNew = policy !== undefined && !start.policies.has(policy.id);
  if (policy !== undefined && (isNew || policy.epoch >= state.epoch)) {
    return refuse(
      "policy-same-epoch",
      `policy ${policy.id} was authored in ${isNew ? "this append" : `this epoch (${policy.epoch})`} ` +
        "and is active in a later one at the earliest: open an epoch without it first",
      { policyId: policy.id, epoch: state.epoch },
    );
  }
  if (policy !== undefined && policy.by === by.id) {
    const problem = `${by.id} wrote policy ${policy.id} and may not activate it: ask another`;
    return refuse("permission-denied", problem, { policyId: policy.id });
  }
  if (!state.epochHasInput) {
    return refuse(
      "epoch-not-open",
      `nobody but the model spoke in epoch ${state.epoch}: admit a user's or a tool's span first`,
      { epoch: state.epoch },
    );
  }
  const data = { epoch: state.epoch + 1, ...(policyId !== undefined && { policyId }) };
  return events({ type: "EpochOpened", data });
}

/** Records what somebody wants pruned, as it came. Nothing is judged before it is settled. */
export function decidePropose(
  state: WindowState,
  command: CommandOf<"proposePruning">,
  { tokenizer }: Act,
): Outcome {
  const { proposalId, rationale, baseRevision = state.revision } = command;
  const policyId = command.policyId ?? (command.candidates ? undefined : state.activePolicy);
  const policy = policyId === undefined ? undefined : state.policies.get(policyId);
  if (policyId !== undefined && policy === undefined) return refused(unknownPolicy(policyId));
  if (proposalId !== undefined && state.proposals.has(proposalId)) {
    const problem = `a proposal ${proposalId} exists already: choose another id`;
    return refuse("id-taken", problem, { proposalId });
  }
  if (baseRevision > state.revision) {
    const problem = `revision ${baseRevision} is not in 0..${state.revision}: choose one that is`;
    return refuse("out-of-range", problem, { last: state.revision });
  }
  let { candidates } = command;
  if (candidates === undefined) {
    if (policy === undefined) {
      const problem = "no policy is active, so nothing picks candidates: name them, or a policy";
      return refuse("unknown-policy", problem);
    }
    if (policy.epoch >= state.epoch || policyId !== state.activePolicy) {
      const problem = `policy ${policy.id} is not active in epoch ${state.epoch}: open one with it`;
      return refuse("policy-same-epoch", problem, { policyId: policy.id });
    }
    const parsed = parsePolicy(policy.text);
    if (!parsed.ok) return refused(refusal("invalid-policy", parsed.problems.join("; ")));
    const { ids } = selectCandidates(
      parsed.policy,
      windowFacts(state, tokenizer),
      spanFacts(state),
      bundleOf(state),
    );
    if (ids.length === 0) return NOTHING;
    candidates = [...ids];
  }
  return events({
    type: "PruningProposed",
    data: {
      proposalId: proposalId ?? mintProposalId(state),
      ...(policyId !== undefined && { policyId }),
      baseRevision,
      candidates,
      ...(rationale !== undefined && { rationale }),
    },
  });
}

function unknownPolicy(policyId: string) {
  return refusal("unknown-policy", `no policy ${policyId} was ever authored: look at policies`, {
    policyId,
  });
}
