import type { Answer } from "../commands/answers.ts";
import { isRefusal, parseCommand } from "../commands/parse.ts";
import type { Principal } from "../commands/principals.ts";
import { refusal } from "../commands/refusals.ts";
import { closureBroken } from "../decide/closure.ts";
import type { DecidedCommand } from "../decide/step.ts";
import { parsePolicy } from "../policy/document.ts";
import type { PolicyFunction } from "../policy/function.ts";
import { selectWithFunction } from "../policy/function.ts";
import { readyPolicy } from "../policy/ready.ts";
import { selectCandidates } from "../policy/select.ts";
import { functionText } from "../state/epochs.ts";
import { bundleOf, spanFacts, windowFacts } from "../view/policy-facts.ts";
import type { Shell } from "./shell.ts";
import { refresh, refusedWith, tokenizerOf, unusableWindow } from "./shell.ts";
import { write } from "./write.ts";

/*
 * The shipped loop of pruning: a pruner proposes, a rule commits, and the two are principals of
 * their own. Neither has more rights than anybody who sends the same commands.
 */

const PRUNER: Principal = { party: "host", id: "host/pruner" };
const COMMITTER: Principal = { party: "host", id: "host/committer" };

/** Share of the budget, or of what is there, that is left when no policy says. */
const DEFAULT_SHARE = 0.6;

/** How `Window.prune` prunes. */
export interface PruneOptions {
  /** `refuse`: rather prune nothing than leave evidence to the ledger alone. Default `carry`. */
  readonly onEvidence?: "carry" | "refuse";
  /** Whatever carries a contested claim or evidence stays, whoever asks. Default: false. */
  readonly unattended?: boolean;
  /**
   * The host's own function in place of the active policy; it caps status at `provisional`.
   * Default: the active policy picks, or a ready one while none is active.
   */
  readonly policy?: PolicyFunction;
  /**
   * For the ready policy that serves while none is active: tokens to leave. Default: 0.6 of the
   * budget, or, without one, of what is there.
   */
  readonly targetTokens?: number;
}

/** Proposes and settles; answers `nothing-to-do` when nothing is worth pruning. */
export async function prune(shell: Shell, options: PruneOptions): Promise<Answer> {
  await refresh(shell);
  const unusable = unusableWindow(shell);
  const broken = unusable ?? closureBroken(shell.state);
  if (broken !== undefined) return refusedWith(broken);
  const proposal = await propose(shell, options);
  if (proposal.outcome !== "accepted") return proposal;
  const { onEvidence, unattended } = options;
  const { proposalId } = proposal.ids;
  return send(shell, COMMITTER, {
    command: "settlePruning",
    proposalId,
    ...(onEvidence !== undefined && { onEvidence }),
    ...(unattended !== undefined && { unattended }),
  });
}

function propose(shell: Shell, options: PruneOptions): Promise<Answer> {
  if (options.policy !== undefined) return proposeByFunction(shell, options.policy);
  if (shell.state.activePolicy !== undefined) {
    return send(shell, PRUNER, { command: "proposePruning" });
  }
  return proposeReady(shell, options.targetTokens);
}

/** While no policy is active, a ready one picks: no window is without a way to shrink. */
function proposeReady(shell: Shell, targetTokens: number | undefined): Promise<Answer> {
  const { state } = shell;
  const facts = windowFacts(state, tokenizerOf(shell));
  const all = facts.budget === 0 ? facts.tokens : facts.budget;
  const target = targetTokens ?? Math.floor(all * DEFAULT_SHARE);
  const parsed = parsePolicy(readyPolicy("recency-frequency", target));
  if (!parsed.ok) throw new TypeError(`the ready policy is invalid: ${parsed.problems.join()}`);
  const { ids } = selectCandidates(parsed.policy, facts, spanFacts(state), bundleOf(state));
  if (ids.length === 0) return Promise.resolve({ outcome: "nothing-to-do" });
  return send(shell, PRUNER, {
    command: "proposePruning",
    candidates: [...ids],
    rationale: `ready policy recency-frequency, to ${target} tokens; no policy is active`,
  });
}

/** Names and digests the function in the stream before anything rests on it. */
async function proposeByFunction(shell: Shell, policy: PolicyFunction): Promise<Answer> {
  const { state } = shell;
  const selected = selectWithFunction(
    policy,
    windowFacts(state, tokenizerOf(shell)),
    spanFacts(state),
  );
  if (!selected.ok) {
    const problem = `policy function ${policy.name}: ${selected.problem}; look at what it returns`;
    return refusedWith(refusal("invalid-policy", problem));
  }
  if (selected.ids.length === 0) return { outcome: "nothing-to-do" };
  const text = functionText(policy);
  const known = [...state.policies.values()].find((one) => one.text === text)?.id;
  const authored = known ?? (await authorFunction(shell, text));
  if (typeof authored !== "string") return authored;
  return send(shell, PRUNER, {
    command: "proposePruning",
    policyId: authored,
    candidates: [...selected.ids],
    rationale: `function ${policy.name}`,
  });
}

async function authorFunction(shell: Shell, text: string): Promise<string | Answer> {
  const answer = await send(shell, PRUNER, { command: "authorPolicy", document: text }, true);
  if (answer.outcome !== "accepted") return answer;
  const { policyId } = answer.ids;
  if (policyId === undefined) throw new TypeError("a policy was authored without an id");
  return policyId;
}

function send(
  shell: Shell,
  by: Principal,
  command: Record<string, unknown>,
  trusted = false,
): Promise<Answer> {
  const parsed = parseCommand(command);
  if (isRefusal(parsed)) return Promise.resolve(refusedWith(parsed));
  const step = { command: parsed.command as DecidedCommand, by, ...(trusted && { trusted }) };
  return write(shell, { parsed, by, steps: [step] });
}
