import type { Fold } from "../fold/fold.ts";
import type { EditPlan } from "../fold/plan.ts";
import { ABSENT } from "../fold/spans.ts";
import type { AppendRule, EventRule } from "./rule.ts";

/* Design §4, bonds: calls and results, and groups, at the end of every append. */

const family = "bonds";

export const bondEventRules: readonly EventRule[] = [
  {
    code: "call-kind",
    family,
    proves: "Only a call or a result names a call.",
    on: ["SpanAdmitted"],
    check: ({ event }) => {
      if (event.type !== "SpanAdmitted" || event.data.call === undefined) return undefined;
      const { spanId, kind, call } = event.data;
      return kind === "tool-call" || kind === "tool-result"
        ? undefined
        : `${spanId} is of kind ${kind} and names the call ${call}`;
    },
  },
  {
    code: "call-id-twice",
    family,
    proves: "A call id is given once in a window.",
    on: ["SpanAdmitted"],
    check: ({ event, fold: { spans } }) => {
      if (event.type !== "SpanAdmitted" || event.data.kind !== "tool-call") return undefined;
      const [known] = spans.calls.named(event.data.call);
      return known === undefined ? undefined : `call ${event.data.call} was made before`;
    },
  },
  {
    code: "result-place",
    family,
    proves: "A result comes once, and finds its call live.",
    on: ["SpanAdmitted"],
    check: ({ event, fold: { spans } }) => {
      if (event.type !== "SpanAdmitted" || event.data.kind !== "tool-result") return undefined;
      const { call, spanId } = event.data;
      if (call === undefined) return undefined;
      const players = [...spans.calls.named(call)];
      const calls = players.filter((span) => spans.kind(span) === "tool-call");
      if (calls.every((span) => !spans.isLive(span))) {
        return `the result ${spanId} comes when its call ${call} is not live`;
      }
      const results = players.filter((span) => spans.kind(span) !== "tool-call");
      const come = results.some((span) => spans.mark(span) !== ABSENT);
      return come ? `${spanId} is a second result of call ${call}` : undefined;
    },
  },
];

export const bondAppendRules: readonly AppendRule[] = [
  {
    code: "open-call",
    family,
    proves: "A call without a result is live exactly once, unless a rewind in force abandoned it.",
    check: ({ fold, plans }) => {
      for (const call of writtenCalls(fold, plans)) {
        const { calls, results, live } = bondOf(fold, call);
        if (results.length > 0 || live(calls) === 1) continue;
        const isGone = calls.every((span) => fold.spans.mark(span) === ABSENT);
        if (isGone && fold.abandoned.has(call)) continue;
        return { message: `call ${call} has no result and is live ${live(calls)} times` };
      }
      return undefined;
    },
  },
  {
    code: "call-result",
    family,
    proves: "A call and its result are both live, once, or neither is.",
    check: ({ fold, plans }) => {
      for (const call of writtenCalls(fold, plans)) {
        const { calls, results, live } = bondOf(fold, call);
        if (results.length === 0) continue;
        const [here, there] = [live(calls), live(results)];
        if (here === there && here <= 1) continue;
        return { message: `${here} calls and ${there} results of call ${call} are live` };
      }
      return undefined;
    },
  },
  {
    code: "group",
    family,
    proves: "All spans of a group are live, or none is.",
    check: ({ fold }) => {
      const { spans } = fold;
      for (const group of touchedGroups(fold)) {
        const players = [...spans.groups.named(group)];
        const members = players.filter((span) => spans.createdBy(span) === 0).length;
        const live = players.filter((span) => spans.isLive(span)).length;
        if (live === 0 || live === members) continue;
        return { message: `${live} of the ${members} spans of group ${group} are live` };
      }
      return undefined;
    },
  },
];

const NOTHING: ReadonlySet<string> = new Set();

/** Calls that an edit of the append wrote. Whether a call or result may come is checked then. */
function writtenCalls({ spans }: Fold, plans: readonly EditPlan[]): ReadonlySet<string> {
  if (plans.length === 0) return NOTHING;
  const written = plans.flatMap(({ writes }) => writes.map(({ span }) => span));
  return new Set(written.flatMap((span) => spans.calls.nameOf(span) ?? []));
}

function touchedGroups({ spans, touched }: Fold): Set<string> {
  return new Set([...touched].flatMap((span) => spans.groups.nameOf(span) ?? []));
}

function bondOf({ spans }: Fold, call: string) {
  const players = [...spans.calls.named(call)];
  const calls = players.filter((span) => spans.kind(span) === "tool-call");
  const results = players.filter((span) => spans.kind(span) !== "tool-call");
  const live = (list: readonly number[]): number =>
    list.filter((span) => spans.isLive(span)).length;
  return { calls, results, live };
}
