import type { Policy } from "./document.ts";
import type { SpanFacts, WindowFacts } from "./facts.ts";

/** Most problems that a selection lists; the rest are counted. */
export const MAX_SPAN_PROBLEMS = 20;

/** Why a span was kept although the policy may not have meant to. */
export interface SpanProblem {
  readonly spanId: string;
  readonly problem: string;
}

export interface Selection {
  /** Ids to prune, in the order in which they were picked. */
  readonly ids: readonly string[];
  /** What the window would hold without them, before the ledger takes up what they carried. */
  readonly tokens: number;
  readonly problems: readonly SpanProblem[];
  /** All problems, those not listed included. */
  readonly problemCount: number;
}

/**
 * What a policy would prune of a window: the spans it does not keep, by ascending rank and then by
 * the order given, until at most its target is left. A span brings its whole bundle, the spans
 * that leave only together; a bundle with a kept, pinned or unknown member is passed over.
 *
 * `bundles` gives the bundle of a span, with or without the span itself; two spans are in one
 * bundle or in two that have nothing in common. Costs O(n log n) and one call for each bundle.
 */
export function selectCandidates(
  policy: Policy,
  window: WindowFacts,
  spans: readonly SpanFacts[],
  bundles: (id: string) => readonly string[],
): Selection {
  if (window.tokens <= policy.targetTokens) {
    return { ids: [], tokens: window.tokens, problems: [], problemCount: 0 };
  }
  const { ranked, problems } = rank(policy, window, spans);
  const prunable = new Map(ranked.map((entry) => [entry.id, entry]));
  const ids: string[] = [];
  let { tokens } = window;
  for (const entry of ranked) {
    if (tokens <= policy.targetTokens) break;
    if (entry.decided) continue;
    for (const member of wholeBundle(entry, bundles(entry.id), prunable)) {
      ids.push(member.id);
      tokens -= member.tokens;
    }
  }
  return {
    ids,
    tokens,
    problems: problems.slice(0, MAX_SPAN_PROBLEMS),
    problemCount: problems.length,
  };
}

interface Ranked {
  readonly id: string;
  readonly tokens: number;
  readonly rank: number;
  readonly place: number;
  /** Its bundle was picked or passed over. */
  decided: boolean;
}

/** Decides on the bundle of an entry: all of it goes, or nothing does. */
function wholeBundle(
  entry: Ranked,
  members: readonly string[],
  prunable: ReadonlyMap<string, Ranked>,
): readonly Ranked[] {
  entry.decided = true;
  const bundle = [entry];
  let whole = true;
  for (const id of members) {
    const member = prunable.get(id);
    if (member === undefined) whole = false;
    else if (!member.decided) {
      member.decided = true;
      bundle.push(member);
    }
  }
  return whole ? bundle : [];
}

/** The spans that may go, the first to go first. */
function rank(
  policy: Policy,
  window: WindowFacts,
  spans: readonly SpanFacts[],
): { readonly ranked: Ranked[]; readonly problems: SpanProblem[] } {
  const judge = policy.judge(window);
  const ranked: Ranked[] = [];
  const problems: SpanProblem[] = [];
  for (const [place, span] of spans.entries()) {
    if (span.pinned) continue;
    const judgement = judge(span);
    const { id, tokens } = span;
    if (!judgement.keep) {
      ranked.push({ id, tokens, rank: judgement.rank, place, decided: false });
    } else if (judgement.problem !== undefined) {
      problems.push({ spanId: id, problem: judgement.problem });
    }
  }
  ranked.sort((a, b) => a.rank - b.rank || a.place - b.place);
  return { ranked, problems };
}
