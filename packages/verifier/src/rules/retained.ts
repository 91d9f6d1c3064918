import type { RecordedWindowEvent, WindowEventOf } from "@palimpsest/core/events";
import type { Fold } from "../fold/fold.ts";
import { ownSpans } from "../fold/plan.ts";
import type { Proposal } from "../fold/policies.ts";
import { NONE } from "../fold/spans.ts";
import type { EventRule } from "./rule.ts";

/*
 * Design §6: what a committer leaves where it is, and why. A bond is only checked to exist: whether
 * a span had to stay for it depends on what else stays, and the committer works that out.
 */

type Settled = RecordedWindowEvent & { readonly type: "PruningSettled" };
type Why = WindowEventOf<"PruningSettled">["data"]["retained"][number]["why"];

export const retainedRules: readonly EventRule[] = [
  {
    code: "retained-why",
    family: "policy",
    proves: "What a settlement retains was proposed, and the reason it gives is there.",
    on: ["PruningSettled"],
    check: ({ event, fold }) => {
      if (event.type !== "PruningSettled") return undefined;
      const { proposalId, retained } = event.data;
      const proposal = fold.policies.proposal(proposalId);
      // Other rules find an unknown proposal and a second settlement; nothing is known of it then.
      if (proposal === undefined || proposal.settled) return undefined;
      const proposed = proposedIn(proposal);
      for (const { spanId, why } of retained) {
        const span = fold.spans.find(spanId);
        if (span === NONE || !proposed.has(spanId))
          return `${spanId} is retained and was not proposed`;
        if (!holds(why, span, event, fold, proposal))
          return `${spanId} is retained as ${why}, which does not hold`;
      }
      return undefined;
    },
  },
  {
    code: "revived-taken",
    family: "policy",
    proves:
      "No settlement takes a span that an undo, redo or rewind brought back in the same epoch.",
    on: ["WindowEdited"],
    check: ({ plan, fold: { spans, revived } }) => {
      if (plan?.data.proposalId === undefined) return undefined;
      const back = plan.inputs.find((span) => revived.has(span));
      return back === undefined
        ? undefined
        : `${plan.data.editId} takes ${spans.id(back)}, which was brought back in this epoch`;
    },
  },
];

function proposedIn({ candidates }: Proposal): ReadonlySet<string> {
  return new Set(candidates.flatMap((one) => (typeof one === "string" ? [one] : one.consumes)));
}

function holds(why: Why, span: number, event: Settled, fold: Fold, proposal: Proposal): boolean {
  const { spans, revived } = fold;
  switch (why) {
    case "pinned":
      return spans.isPinned(span);
    case "sealed":
      return spans.isSealed(span);
    case "own-call":
      return ownSpans(fold, event.metadata.via).has(span);
    case "open-call":
      return isOfOpenCall(fold, span);
    case "revived":
      return revived.has(span);
    case "bond":
      return isBound(fold, span, proposal);
    case "contested":
    case "evidence":
      return event.data.unattended && isGuarded(fold, span, why);
  }
}

function isOfOpenCall({ spans }: Fold, span: number): boolean {
  const players = [...spans.calls.named(spans.calls.nameOf(span))];
  return players.length > 0 && players.every((one) => spans.kind(one) === "tool-call");
}

/** It has a partner in a call, a group or a replacement. */
function isBound({ spans }: Fold, span: number, { candidates }: Proposal): boolean {
  if (spans.calls.nameOf(span) !== undefined || spans.groups.nameOf(span) !== undefined)
    return true;
  const id = spans.id(span);
  return candidates.some(
    (one) => typeof one !== "string" && one.consumes.length > 1 && one.consumes.includes(id),
  );
}

/** A carrier of a claim in an open conflict, or of one that is protected for another reason. */
function isGuarded({ claims }: Fold, span: number, why: "contested" | "evidence"): boolean {
  return claims.all.some((claim) => {
    if (!claims.isProtected(claim) || !claims.carriersOf(claim).includes(span)) return false;
    return why === "evidence" || claims.openConflicts(claim).length > 0;
  });
}
