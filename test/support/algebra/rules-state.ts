import type { Reference } from "./reference.ts";
import { marksOf } from "./reference.ts";
import type { Rule, Rules } from "./rule.ts";
import { ancestorsOf, editByOrdinal, isLive, isReverted, liveSpans, markOf } from "./views.ts";
import type { Place } from "./walk.ts";
import { isBoundary } from "./walk.ts";

/* Design §4: the laws that hold of the state after every append, and the bonds. */

export const stateRules = {
  /** Every span has one mark, and nothing else has. */
  "one-mark": ({ after }) => {
    const marked = [...marksOf(after).keys()].sort().join();
    const born = [...after.spans.keys()].sort().join();
    return marked === born ? [] : [`marks on ${marked}; spans ${born}`];
  },

  /** No live span coexists with its own ancestor. */
  "ancestor-live": atBoundary(({ after }) =>
    liveSpans(after).flatMap(({ id }) =>
      [...ancestorsOf(after, id)]
        .filter((ancestor) => isLive(after, ancestor))
        .map((ancestor) => `${id} is live beside its ancestor ${ancestor}`),
    ),
  ),

  /** Live positions are unique. */
  "position-twice": atBoundary(({ after }) => {
    const positions = liveSpans(after).map(({ position }) => position);
    return positions
      .filter((position, i) => positions.indexOf(position) !== i)
      .map((position) => `two live spans stand at position ${position}`);
  }),

  /** What a rewrite consumed is covered by its product: that one is live or consumed itself. */
  uncovered: atBoundary(({ after }) =>
    [...marksOf(after)].flatMap(([id, mark]) => {
      const taker = editByOrdinal(after, mark);
      const gone = taker?.product !== undefined && markOf(after, taker.product) === "absent";
      return gone ? [`${id} is out of view without a trace: ${taker.product} is absent`] : [];
    }),
  ),

  /** No result yet: exactly one live span plays the call, unless a rewind in force abandoned it. */
  "open-call": atBoundary(({ after }) =>
    callsOf(after)
      .filter(({ results }) => results.length === 0)
      .filter(({ call, calls }) => live(after, calls) !== 1 && !isAbandoned(after, call))
      .map(({ call, calls }) => `open call ${call} is live ${live(after, calls)} times`),
  ),

  /** Result admitted: call and result both live once, or neither. */
  "call-result": atBoundary(({ after }) =>
    callsOf(after)
      .filter(({ results }) => results.length > 0)
      .map(({ call, calls, results }) => [call, live(after, calls), live(after, results)] as const)
      .filter(([, calls, results]) => calls !== results || calls > 1)
      .map(([call, calls, results]) => `call ${call}: ${calls} calls, ${results} results live`),
  ),

  /** All spans of a group are live, or none. */
  group: atBoundary(({ after }) => {
    const spans = [...after.spans.values()].filter(({ group }) => group !== undefined);
    return [...Map.groupBy(spans, ({ group }) => group)].flatMap(([group, players]) => {
      const members = players.filter(({ inputs }) => inputs.length === 0).length;
      const present = players.filter(({ id }) => isLive(after, id)).length;
      const whole = present === 0 || present === members;
      return whole ? [] : [`${present} of the ${members} spans of group ${group} are live`];
    });
  }),

  /** A result finds its call live, and comes once. */
  "result-place": ({ event, before }) => {
    if (event.type !== "SpanAdmitted" || event.data.kind !== "tool-result") return [];
    const bond = callsOf(before).find(({ call }) => call === event.data.call);
    if (event.data.call === undefined) return [];
    if (bond === undefined || live(before, bond.calls) !== 1) {
      return [`the result ${event.data.spanId} comes when its call is not live`];
    }
    const come = bond.results.some((id) => markOf(before, id) !== "absent");
    return come ? [`the result ${event.data.spanId} is the second one`] : [];
  },
} as const satisfies Rules;

/** Bonds and laws hold at the end of every append; inside one they may not yet. */
function atBoundary(rule: Rule): Rule {
  return (place: Place) => (isBoundary(place) ? rule(place) : []);
}

interface Call {
  readonly call: string;
  readonly calls: readonly string[];
  readonly results: readonly string[];
}

/** The spans that play each call and its result: the admitted ones and their 1-to-1 rewrites. */
function callsOf({ spans }: Reference): Call[] {
  const bound = [...spans.values()].filter(({ call }) => call !== undefined);
  return [...Map.groupBy(bound, ({ call }) => call ?? "")].map(([call, players]) => ({
    call,
    calls: players.filter(({ kind }) => kind === "tool-call").map(({ id }) => id),
    results: players.filter(({ kind }) => kind !== "tool-call").map(({ id }) => id),
  }));
}

function live(reference: Reference, ids: readonly string[]): number {
  return ids.filter((id) => isLive(reference, id)).length;
}

function isAbandoned(reference: Reference, call: string): boolean {
  return reference.edits.some(
    (edit) => edit.abandoned.includes(call) && !isReverted(reference, edit),
  );
}
