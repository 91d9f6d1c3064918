import type { Refusal } from "../commands/refusals.ts";
import { bounded, refusal } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import type { WindowEvent, WindowEventOf } from "../events/schema.ts";
import type { Proposal, WindowState } from "../state/state.ts";
import { windowTokens } from "../view/tokens.ts";
import { closureBroken } from "./closure.ts";
import { editEvents, rewriteOf } from "./edits.ts";
import type { Act, Outcome } from "./outcome.ts";
import { advance, events, refuse, refused } from "./outcome.ts";
import type { Candidates } from "./proposed.ts";
import { resolveCandidates } from "./proposed.ts";
import type { Retained } from "./retained.ts";
import { evidenceLost, retain } from "./retained.ts";

type Settle = CommandOf<"settlePruning">;

/**
 * Settles a proposal on the state of this moment: judged, cut down to what may go, and applied as
 * one append. A refused settlement changes nothing, but it is in the log, with every reason.
 */
export function decideSettle(state: WindowState, command: Settle, act: Act): Outcome {
  const proposal = state.proposals.get(command.proposalId);
  if (proposal === undefined) {
    return refuse("unknown-proposal", `no proposal ${command.proposalId} was ever made: propose`, {
      proposalId: command.proposalId,
    });
  }
  const partial = selfCommit(state, proposal, command, act);
  if (partial.length > 0) return refused(...partial);
  if (proposal.outcome !== undefined) {
    const problem = `proposal ${proposal.id} was settled before (${proposal.outcome}): propose again`;
    return refuse("stale-proposal", problem, { proposalId: proposal.id });
  }
  if (command.decision === "refuse") {
    const message = command.reason ?? `refused by ${act.by.id}`;
    return events(settled(command, "refused", [], [{ code: "declined", message }]));
  }
  const broken = closureBroken(state);
  if (broken !== undefined) return refused(broken);
  return commit(state, proposal, command, act);
}

/** Whoever has a hand in a proposal does not settle it, and nobody of the model's party does. */
function selfCommit(
  state: WindowState,
  proposal: Proposal,
  { unattended = false }: Settle,
  { by }: Act,
): Refusal[] {
  if (by.party === "model") {
    const message = `${by.id} may not settle a proposal: ask the host or a person`;
    return [refusal("permission-denied", message), refusal("self-commit", message)];
  }
  const author =
    proposal.policyId === undefined ? undefined : state.policies.get(proposal.policyId);
  if (unattended || (by.id !== proposal.by && by.id !== author?.by)) return [];
  const role = by.id === proposal.by ? "made the proposal" : "wrote its policy";
  return [
    refusal(
      "self-commit",
      `${by.id} ${role} and may not settle it: ask another principal, or send unattended: true`,
      { proposalId: proposal.id },
    ),
  ];
}

function commit(state: WindowState, proposal: Proposal, command: Settle, act: Act): Outcome {
  const { unattended = false, onEvidence = "carry" } = command;
  const { found, refusals } = resolveCandidates(state, proposal);
  if (refusals.length > 0) return logged(command, [], refusals);
  const { kept, retained } = retain(state, found, { via: act.via, unattended });
  if (kept.evict.length === 0 && kept.replace.length === 0) {
    return events(settled(command, "empty", retained, []));
  }
  const lost = onEvidence === "refuse" ? evidenceLost(state, kept) : [];
  if (lost.length > 0) return logged(command, retained, lost);
  const edits = editsOf(state, proposal.id, kept, act);
  if ("refusals" in edits) return logged(command, retained, edits.refusals);
  if (edits.events.length === 0) return events(settled(command, "empty", retained, []));
  const [had, would] = [state, edits.state].map((one) => windowTokens(one, act.tokenizer).tokens);
  if (would === undefined || had === undefined || would >= had) {
    return logged(command, retained, [noGain(had ?? 0, would ?? 0)]);
  }
  const end = settled(command, "committed", retained, []);
  const after = advance(edits.state, [end], act);
  return { kind: "events", events: [...edits.events, end], state: after };
}

function noGain(had: number, would: number): Refusal {
  return refusal(
    "no-gain",
    `the window would cost ${would} tokens instead of ${had}: leave it, or prune more`,
    { before: had, after: would },
  );
}

/** One evict over all ids, then one rewrite a replacement; record and edit in turn. */
function editsOf(
  state: WindowState,
  proposalId: string,
  { evict, replace }: Candidates,
  act: Act,
):
  | { readonly events: WindowEvent[]; readonly state: WindowState }
  | { readonly refusals: readonly Refusal[] } {
  const list: WindowEvent[] = [];
  let current = state;
  const add = (more: readonly WindowEvent[]) => {
    const named = more.map((event) => withProposal(event, proposalId));
    list.push(...named);
    current = advance(current, named, act);
  };
  if (evict.length > 0) add(editEvents(current, { verb: "evict", consumed: evict }));
  for (const { consumes, content } of replace) {
    const outcome = rewriteOf(current, consumes, { content }, act);
    if (outcome.kind === "refused") return { refusals: outcome.refusals };
    if (outcome.kind === "events") add(outcome.events);
  }
  return { events: list, state: current };
}

function withProposal(event: WindowEvent, proposalId: string): WindowEvent {
  if (event.type !== "WindowEdited") return event;
  return { ...event, data: { ...event.data, proposalId } };
}

function settled(
  { proposalId, onEvidence = "carry", unattended = false }: Settle,
  outcome: WindowEventOf<"PruningSettled">["data"]["outcome"],
  retained: readonly Retained[],
  refusals: readonly { readonly code: string; readonly message: string }[],
): WindowEvent {
  return {
    type: "PruningSettled",
    data: {
      proposalId,
      outcome,
      retained: [...retained],
      refusals: [...refusals],
      onEvidence,
      unattended,
    },
  };
}

function logged(
  command: Settle,
  retained: readonly Retained[],
  refusals: readonly Refusal[],
): Outcome {
  const reasons = bounded(refusals);
  const event = settled(command, "refused", retained, reasons);
  return { kind: "logged", events: [event], refusals: reasons };
}
