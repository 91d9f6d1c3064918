import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { Json } from "../json/json.ts";
import { LIVE, markOf, rewindWrites } from "../state/marks.ts";
import { startOf } from "../state/quote.ts";
import type { Proposal, Span, WindowState } from "../state/state.ts";
import { bornUpTo, spanAt } from "../state/state.ts";

/** A replacement that a proposal asks for. */
export interface Replacement {
  readonly consumes: readonly Span[];
  readonly content: Json;
}

/** The candidates of a proposal as far as they are live spans of this moment. */
export interface Candidates {
  readonly evict: readonly Span[];
  readonly replace: readonly Replacement[];
}

/** Longest foreign id that is repeated in an answer. */
const MAX_NAMED = 80;

/**
 * Judges what a proposal names on the state of this moment. Live spans are considered; a span that
 * was live at the proposal's base is stale; anything else lies outside what a pruner may name, and
 * gets the whole proposal refused, with what each id is.
 */
export function resolveCandidates(
  state: WindowState,
  { candidates, baseRevision }: Proposal,
): { readonly found: Candidates; readonly refusals: Refusal[] } {
  let wasLive: ((index: number) => boolean) | undefined;
  const refusals: Refusal[] = [];
  const seen = new Set<string>();
  const resolve = (id: string): Span | undefined => {
    const index = state.spans.indexOf(id);
    if (index !== undefined && markOf(state, index) === LIVE) return spanAt(state, index);
    if (!seen.has(id)) {
      // Walks back to the base, so only once somebody names what is not live.
      wasLive ??= liveAt(state, baseRevision);
      const stale = index !== undefined && wasLive(index);
      refusals.push(stale ? staleProposal(id) : foreignRefusal(state, id));
    }
    seen.add(id);
    return undefined;
  };
  const evict = new Set<Span>();
  const replace: Replacement[] = [];
  for (const candidate of candidates) {
    if (typeof candidate === "string") {
      const span = resolve(candidate);
      if (span !== undefined) evict.add(span);
      continue;
    }
    const spans = new Set(candidate.consumes.map(resolve).filter((span) => span !== undefined));
    if (candidate.consumes.length === 0) {
      refusals.push(
        refusal("invalid-command", "a replacement consumes at least one span: name it"),
      );
    }
    replace.push({ consumes: [...spans], content: candidate.content });
  }
  refusals.push(...overlapping(replace));
  for (const { consumes } of replace) for (const span of consumes) evict.delete(span);
  return { found: { evict: [...evict], replace }, refusals };
}

/** Whether a span was live after the event at `revision`. */
function liveAt(state: WindowState, revision: number): (index: number) => boolean {
  const born = bornUpTo(state, revision);
  const then = new Map(
    rewindWrites(state, revision, born, new Set()).map(({ span, after }) => [span, after]),
  );
  return (index) => index < born && (then.get(index) ?? markOf(state, index)) === LIVE;
}

function staleProposal(id: string): Refusal {
  return refusal(
    "stale-proposal",
    `span ${id} left the window since the proposal was made: propose again on what is live now`,
    { candidate: id },
  );
}

function foreignRefusal(state: WindowState, id: string): Refusal {
  const what = describe(state, id);
  const candidate = startOf(id, MAX_NAMED);
  return refusal(
    "recovery-region-addressed",
    `${JSON.stringify(candidate)} is ${what}, not a live span: a proposal names live spans and ` +
      "nothing else; leave it out",
    { candidate, what },
  );
}

/** What an id names that is not a live span, so that the refusal can be understood. */
function describe(state: WindowState, id: string): string {
  const index = state.spans.indexOf(id);
  if (index !== undefined) {
    const mark = markOf(state, index);
    return mark > 0 ? "a span out of view" : "a span that is not on this line of history";
  }
  if (state.editOrdinal.has(id)) return "an edit and its recovery record";
  if (state.claimIndex.has(id)) return "a claim";
  if (state.proposals.has(id)) return "a proposal";
  if (state.policies.has(id)) return "a policy";
  if (state.spans.call(id) !== undefined) return "a tool call";
  return "nothing that a pruner may know of";
}

function overlapping(replace: readonly Replacement[]): Refusal[] {
  const taken = new Set<Span>();
  for (const { consumes } of replace) {
    const twice = consumes.find((span) => taken.has(span));
    if (twice !== undefined) {
      const problem = `span ${twice.id} is in two replacements: name it in one`;
      return [refusal("invalid-command", problem, { spanId: twice.id })];
    }
    for (const span of consumes) taken.add(span);
  }
  return [];
}
