import type { RecordedWindowEvent, WindowEventOf } from "@palimpsest/core/events";
import type { EditPlan } from "../fold/plan.ts";
import type { Proposal } from "../fold/policies.ts";
import { NONE } from "../fold/spans.ts";
import { canonicalJson } from "../json/canonical.ts";
import type { AppendPlace, AppendRule, Broken } from "./rule.ts";
import { listed } from "./rule.ts";

/* DESIGN §6: what a settlement may do, seen on the append that holds it. */

type Settled = WindowEventOf<"PruningSettled">["data"];

interface Settlement {
  readonly event: RecordedWindowEvent;
  readonly data: Settled;
  readonly proposal: Proposal | undefined;
  /** The edits made for it. */
  readonly plans: readonly EditPlan[];
}

function settlementRule(
  code: string,
  proves: string,
  check: (settlement: Settlement, place: AppendPlace) => string | undefined,
): AppendRule {
  return {
    code,
    family: "policy",
    proves,
    check: (place) => {
      for (const settlement of settlementsOf(place)) {
        const message = check(settlement, place);
        if (message !== undefined) return { message, event: settlement.event };
      }
      return undefined;
    },
  };
}

export const settlementRules: readonly AppendRule[] = [
  {
    code: "settled-edit",
    family: "policy",
    proves: "An edit made for a proposal is in the append that settles the proposal.",
    check: (place): Broken | undefined => {
      const settled = new Set(settlementsOf(place).map(({ data }) => data.proposalId));
      const stray = place.events.find(
        ({ type, data }) =>
          type === "WindowEdited" && data.proposalId !== undefined && !settled.has(data.proposalId),
      );
      if (stray?.type !== "WindowEdited") return undefined;
      const { editId, proposalId } = stray.data;
      return { message: `${editId} is made for ${proposalId}, not settled here`, event: stray };
    },
  },
  settlementRule(
    "refused-effect",
    "A refused or empty settlement edits nothing; a committed one edits something.",
    ({ data, plans }) => {
      if ((data.outcome === "committed") === plans.length > 0) return undefined;
      return `the settlement of ${data.proposalId} is ${data.outcome} with ${plans.length} edits`;
    },
  ),
  settlementRule(
    "committed-proposed",
    "Everything that a settlement takes was proposed.",
    ({ proposal, plans }, { fold: { spans } }) => {
      if (proposal === undefined) return undefined;
      for (const { data, inputs } of plans) {
        const allowed = proposedFor(proposal, data);
        const extra = inputs.map((span) => spans.id(span)).filter((id) => !allowed.has(id));
        if (extra.length > 0) return `${data.editId} takes ${listed(extra)}, not proposed`;
      }
      return undefined;
    },
  ),
  settlementRule(
    "retained-taken",
    "What a settlement retains, it does not take.",
    ({ data, plans }, { fold: { spans } }) => {
      const taken = new Set(plans.flatMap(({ inputs }) => inputs.map((span) => spans.id(span))));
      const both = data.retained.find(({ spanId }) => taken.has(spanId));
      return both === undefined ? undefined : `${both.spanId} is retained, and taken`;
    },
  ),
  settlementRule(
    "region-addressed",
    "A proposal that names anything but spans live at its settlement is refused as a whole.",
    ({ data, proposal, plans }, { fold: { spans } }) => {
      if (data.outcome === "refused" || proposal === undefined) return undefined;
      const taken = new Set(plans.flatMap(({ inputs }) => inputs));
      const stray = candidatesOf(proposal).filter((id) => {
        const span = spans.find(id);
        return span === NONE || !(spans.isLive(span) || taken.has(span));
      });
      if (stray.length === 0) return undefined;
      // Candidates are raw strings of a model: they are counted here, not repeated.
      return `${data.outcome}, although ${stray.length} of its candidates are no live spans`;
    },
  ),
  settlementRule(
    "no-gain",
    "A committed settlement makes the window smaller.",
    ({ data, plans }, { tokensBefore, tokensAfter }) => {
      if (data.outcome !== "committed" || plans.length === 0) return undefined;
      if (tokensBefore === undefined || tokensAfter === undefined) return undefined;
      return tokensAfter < tokensBefore
        ? undefined
        : `the window had ${tokensBefore} tokens and has ${tokensAfter} after it`;
    },
  ),
  settlementRule(
    "evidence-taken",
    "An unattended settlement takes no carrier of a protected claim, and one that refuses to " +
      "lose evidence takes no last one.",
    ({ data, plans }, { fold: { claims } }) => {
      if (!data.unattended && data.onEvidence === "carry") return undefined;
      const taken = new Set(plans.flatMap(({ inputs }) => inputs));
      if (taken.size === 0) return undefined;
      const lost = claims.all.find((claim) => {
        if (!claims.isProtected(claim)) return false;
        if (!claims.carriersOf(claim).some((span) => taken.has(span))) return false;
        return data.unattended || claims.liveCarrier(claim) === NONE;
      });
      return lost === undefined ? undefined : `it takes a carrier of the protected ${lost.id}`;
    },
  ),
];

function settlementsOf({ events, fold, plans }: AppendPlace): readonly Settlement[] {
  if (!events.some(({ type }) => type === "PruningSettled")) return [];
  return events.flatMap((event) => {
    if (event.type !== "PruningSettled") return [];
    const { data } = event;
    const own = plans.filter((plan) => plan.data.proposalId === data.proposalId);
    return [{ event, data, proposal: fold.policies.proposal(data.proposalId), plans: own }];
  });
}

function candidatesOf({ candidates }: Proposal): string[] {
  return candidates.flatMap((one) => (typeof one === "string" ? [one] : one.consumes));
}

/** The spans that an edit of this verb and content may take for the proposal. */
function proposedFor({ candidates }: Proposal, data: EditPlan["data"]): ReadonlySet<string> {
  const content = data.creates === undefined ? undefined : canonicalJson(data.creates.content);
  const ids = candidates.flatMap((one) => {
    if (typeof one === "string") return content === undefined ? [one] : [];
    return canonicalJson(one.content) === content ? one.consumes : [];
  });
  return new Set(ids);
}
