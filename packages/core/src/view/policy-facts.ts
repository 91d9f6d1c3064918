import type { SpanFacts, WindowFacts } from "../policy/facts.ts";
import { boundTo } from "../state/bound.ts";
import { claimAt } from "../state/claims.ts";
import { LIVE, markOf } from "../state/marks.ts";
import { openConflicts } from "../state/protection.ts";
import type { Span, WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { windowTokens } from "./tokens.ts";

/*
 * All that a policy sees (design §7): frozen numbers and words about live spans and the window.
 * Nothing of records, edits, verdicts, consumed spans or content, and no handle on anything.
 */

export function windowFacts(state: WindowState, tokenizer: Tokenizer): WindowFacts {
  return Object.freeze({
    tokens: windowTokens(state, tokenizer).tokens,
    budget: state.budget ?? 0,
    epoch: state.epoch,
  });
}

/** Facts of every live span, in order of position. */
export function spanFacts(state: WindowState): SpanFacts[] {
  const claims = claimsBySpan(state);
  const facts: SpanFacts[] = [];
  for (const { span: index, live } of state.slots.occupants()) {
    if (live) facts.push(factsOf(state, spanAt(state, index), claims.get(index)));
  }
  return facts;
}

function factsOf(
  state: WindowState,
  span: Span,
  carried: { readonly claims: number; readonly contested: boolean } | undefined,
): SpanFacts {
  const reads = state.reads.get(span.index);
  return Object.freeze({
    id: span.id,
    kind: span.kind,
    origin: span.origin,
    tokens: span.tokens,
    age: state.messageCount - span.messageNumber,
    idle: state.messageCount - Math.max(span.messageNumber, reads?.last ?? 0),
    reads: reads?.count ?? 0,
    claims: carried?.claims ?? 0,
    contested: carried?.contested ?? false,
    pinned: span.pinned,
    edited: span.createdBy !== undefined,
    ...(span.tool?.status !== undefined && { status: span.tool.status }),
  });
}

/** Unretracted claims that a span carries, itself or as a recall. */
function claimsBySpan(state: WindowState) {
  const bySpan = new Map<number, { claims: number; contested: boolean }>();
  for (const [carrier, indices] of state.carriedBy) {
    const claims = indices.map((i) => claimAt(state, i)).filter(({ retracted }) => !retracted);
    const contested = claims.some((claim) => openConflicts(state, claim).length > 0);
    for (const span of [carrier, ...(state.recalls.get(carrier) ?? [])]) {
      bySpan.set(span, { claims: claims.length, contested });
    }
  }
  return bySpan;
}

/** The live spans that leave with a span, itself included: the closure of its bonds. */
export function bundleOf(state: WindowState): (id: string) => readonly string[] {
  return (id) => {
    const index = state.spans.indexOf(id);
    if (index === undefined) return [];
    const bundle = new Set([index]);
    for (const one of bundle) {
      for (const other of boundTo(state, spanAt(state, one))) {
        if (markOf(state, other) === LIVE) bundle.add(other);
      }
    }
    return [...bundle].map((one) => spanAt(state, one).id);
  };
}
