import type { Json, RecordedWindowEvent, WindowEventOf } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";
import type { Proposal } from "../fold/policies.ts";
import type { Spans } from "../fold/spans.ts";
import { NONE } from "../fold/spans.ts";
import { canonicalJson, contentText } from "../json/canonical.ts";
import type { AppendRule, Broken, EventRule, Place, Settling } from "./rule.ts";
import { listed } from "./rule.ts";

/*
 * Design §6: what a settlement may do, judged on the state of its own moment. Its edits stand
 * directly before it; whatever else its append holds comes before the first or after it.
 */

interface Settlement extends Settling {
  readonly data: WindowEventOf<"PruningSettled">["data"];
  /** Undefined when it was never made or is already settled: other rules are about that. */
  readonly proposal: Proposal | undefined;
}

function settlementRule(
  code: string,
  proves: string,
  check: (settlement: Settlement, place: Place) => string | undefined,
): EventRule {
  return {
    code,
    family: "policy",
    proves,
    on: ["PruningSettled"],
    check: (place) => {
      const { event, fold, settling } = place;
      if (event.type !== "PruningSettled" || settling === undefined) return undefined;
      const proposal = fold.policies.proposal(event.data.proposalId);
      const open = proposal?.settled === true ? undefined : proposal;
      return check({ ...settling, data: event.data, proposal: open }, place);
    },
  };
}

export const settlementEventRules: readonly EventRule[] = [
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
    "Everything that a settlement takes was proposed, and a replacement takes all it was made for.",
    ({ proposal, plans }, { fold: { spans } }) => {
      if (proposal === undefined) return undefined;
      for (const { data, inputs } of plans) {
        const taken = inputs.map((span) => spans.id(span));
        const wrong = notProposed(proposal, data.creates?.content, taken);
        if (wrong !== undefined) return `${data.editId} takes ${wrong}`;
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
      return both === undefined ? undefined : `${both.spanId} is both retained and taken`;
    },
  ),
  settlementRule(
    "settled-whole",
    "A settlement that does not refuse takes or retains everything that was proposed, except a " +
      "span whose replacement is the content that it has already.",
    ({ data, proposal, plans }, { fold: { spans } }) => {
      if (data.outcome === "refused" || proposal === undefined) return undefined;
      const retained = new Set(data.retained.map(({ spanId }) => spanId));
      const created = new Set(plans.map(({ product }) => product?.id));
      const dropped = candidatesOf(proposal).find((id) => {
        const span = spans.find(id);
        // Another rule is about what was not a live span.
        if (span === NONE || !spans.isLive(span) || created.has(id)) return false;
        return !retained.has(id) && !isKeptAsItIs(proposal, spans, span);
      });
      return dropped === undefined ? undefined : `${dropped} is neither taken nor retained`;
    },
  ),
  settlementRule(
    "recovery-region-addressed",
    "A proposal that names anything but spans live at its settlement is refused as a whole.",
    ({ data, proposal, plans }, { fold: { spans } }) => {
      if (data.outcome === "refused" || proposal === undefined) return undefined;
      const taken = new Set(plans.flatMap(({ inputs }) => inputs));
      const created = new Set(plans.map(({ product }) => product?.id));
      const stray = candidatesOf(proposal).filter((id) => {
        const span = spans.find(id);
        if (span === NONE) return true;
        return !taken.has(span) && (created.has(id) || !spans.isLive(span));
      });
      if (stray.length === 0) return undefined;
      // Candidates are raw strings of a model: they are counted here, not repeated.
      return `it is ${data.outcome}, although ${stray.length} of its candidates are not live spans`;
    },
  ),
  settlementRule(
    "no-gain",
    "A committed settlement makes the window smaller.",
    ({ data, plans, tokensBefore, tokensAfter }) => {
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
      "lose evidence does not take the last live carrier.",
    ({ data, plans }, { fold: { claims } }) => {
      if (!data.unattended && data.onEvidence === "carry") return undefined;
      const taken = new Set(plans.flatMap(({ inputs }) => inputs));
      if (taken.size === 0) return undefined;
      const lost = claims.all.find((claim) => {
        if (!claims.isProtected(claim)) return false;
        if (!claims.carriersOf(claim).some((span) => taken.has(span))) return false;
        return data.unattended || claims.liveCarrier(claim) === NONE;
      });
      return lost === undefined
        ? undefined
        : `it takes a carrier of ${lost.id}, which is protected`;
    },
  ),
];

export const settlementAppendRules: readonly AppendRule[] = [
  {
    code: "settled-edit",
    family: "policy",
    proves:
      "The edits made for a proposal stand in one append directly before its settlement, and are " +
      "by the same principal.",
    check: ({ events, plans }): Broken | undefined => {
      if (plans.every(({ data }) => data.proposalId === undefined)) return undefined;
      let next: RecordedWindowEvent | undefined;
      for (const event of events.toReversed()) {
        if (event.type === "RecoveryRecorded") continue;
        if (event.type === "WindowEdited" && !isOfSame(event, next)) {
          const { editId, proposalId } = event.data;
          return { message: `no settlement of ${proposalId} follows its edit ${editId}`, event };
        }
        next = event;
      }
      return undefined;
    },
  },
];

/** The edit is not for a proposal, or what follows is for the same one and by the same hand. */
function isOfSame(
  { data: { proposalId }, metadata }: RecordedWindowEvent & { readonly type: "WindowEdited" },
  next: RecordedWindowEvent | undefined,
): boolean {
  if (proposalId === undefined) return true;
  if (next?.type !== "WindowEdited" && next?.type !== "PruningSettled") return false;
  return next.data.proposalId === proposalId && next.metadata.by === metadata.by;
}

function candidatesOf({ candidates }: Proposal): string[] {
  return candidates.flatMap((one) => (typeof one === "string" ? [one] : one.consumes));
}

/** A replacement asks for the span alone, with the content that it has: nothing to do. */
function isKeptAsItIs({ candidates }: Proposal, spans: Spans, span: number): boolean {
  const id = spans.id(span);
  return candidates.some((one) => {
    if (typeof one === "string" || !one.consumes.every((other) => other === id)) return false;
    if (one.consumes.length === 0 || (typeof one.content !== "string") !== spans.isJson(span)) {
      return false;
    }
    return sha256Hex(contentText(one.content)) === spans.digest(span);
  });
}

/** What an edit takes that nobody proposed; `content` is what it puts in its place. */
function notProposed(
  { candidates }: Proposal,
  content: Json | undefined,
  taken: readonly string[],
): string | undefined {
  if (content === undefined) {
    const named = new Set<unknown>(candidates);
    const extra = taken.filter((id) => !named.has(id));
    return extra.length === 0 ? undefined : `what nobody proposed: ${listed(extra)}`;
  }
  const words = canonicalJson(content);
  const asked = candidates.some((one) => {
    if (typeof one === "string" || canonicalJson(one.content) !== words) return false;
    const consumes = new Set(one.consumes);
    return consumes.size === taken.length && taken.every((id) => consumes.has(id));
  });
  return asked ? undefined : `${listed(taken)}, and no replacement of just these was proposed`;
}
