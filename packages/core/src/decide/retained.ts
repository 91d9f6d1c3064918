import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { RetainedWhy } from "../events/schema.ts";
import { boundTo } from "../state/bound.ts";
import { carriersOf, claimAt, liveCarriers } from "../state/claims.ts";
import { LIVE, markOf } from "../state/marks.ts";
import { ownSpans } from "../state/own-call.ts";
import { isProtected, openConflicts } from "../state/protection.ts";
import type { Span, WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import { isOpenCall } from "./bonds.ts";
import type { Candidates } from "./proposed.ts";

export interface Retained {
  readonly spanId: string;
  readonly why: RetainedWhy;
}

/**
 * Removes from a proposal what must stay; a committer may only remove. One removal may expose the
 * next (a call without its result, a replacement short of a span), so it runs to a fix-point.
 */
export function retain(
  state: WindowState,
  found: Candidates,
  options: { readonly via: string | undefined; readonly unattended: boolean },
): { readonly kept: Candidates; readonly retained: Retained[] } {
  const own = ownSpans(state, options.via);
  const guarded = options.unattended ? guardedSpans(state) : new Map<number, RetainedWhy>();
  const alone = new Set(
    found.replace.flatMap(({ consumes }) => (consumes.length === 1 ? consumes : [])),
  );
  const why = new Map<Span, RetainedWhy>();
  const all = [...found.evict, ...found.replace.flatMap(({ consumes }) => consumes)];
  for (const span of all) {
    const reason =
      reasonToStay(state, span, own, guarded) ?? (sealedAlone(span, alone) ? "sealed" : undefined);
    if (reason !== undefined) why.set(span, reason);
  }
  let kept = found;
  for (let size = -1; size !== why.size; ) {
    size = why.size;
    kept = without(kept, why);
    for (const span of splitBonds(state, kept, alone)) why.set(span, "bond");
  }
  const retained = [...why].map(([span, reason]) => ({ spanId: span.id, why: reason }));
  return { kept, retained };
}

function reasonToStay(
  state: WindowState,
  span: Span,
  own: ReadonlySet<number>,
  guarded: ReadonlyMap<number, RetainedWhy>,
): RetainedWhy | undefined {
  if (span.pinned) return "pinned";
  if (own.has(span.index)) return "own-call";
  if (span.call !== undefined && isOpenCall(state, span.call)) return "open-call";
  if (state.revived.has(span.index)) return "revived";
  return guarded.get(span.index);
}

function sealedAlone(span: Span, alone: ReadonlySet<Span>): boolean {
  return span.sealed && alone.has(span);
}

/** Without anybody to ask, whatever carries a contested claim or evidence stays. */
function guardedSpans(state: WindowState): Map<number, RetainedWhy> {
  const guarded = new Map<number, RetainedWhy>();
  for (const index of state.watched) {
    const claim = claimAt(state, index);
    if (!isProtected(state, claim)) continue;
    const contested = openConflicts(state, claim).length > 0;
    for (const span of carriersOf(state, claim)) {
      if (contested || !guarded.has(span)) guarded.set(span, contested ? "contested" : "evidence");
    }
  }
  return guarded;
}

/** The proposal without retained spans, and without the replacements that would lack one. */
function without({ evict, replace }: Candidates, why: Map<Span, RetainedWhy>): Candidates {
  const whole = replace.filter(({ consumes }) => {
    const short = consumes.some((span) => why.has(span));
    if (short) for (const span of consumes) if (!why.has(span)) why.set(span, "bond");
    return !short;
  });
  return { evict: evict.filter((span) => !why.has(span)), replace: whole };
}

/** Spans that would leave while something bound to them stays. A 1-to-1 rewrite keeps its bonds. */
function splitBonds(state: WindowState, kept: Candidates, alone: ReadonlySet<Span>): Set<Span> {
  const leaving = new Set<Span>(kept.evict);
  for (const { consumes } of kept.replace) {
    for (const span of consumes) if (!alone.has(span)) leaving.add(span);
  }
  const split = new Set<Span>();
  for (const span of leaving) {
    const bound = boundLive(state, span);
    if (!bound.every((other) => leaving.has(other))) split.add(span);
  }
  return split;
}

function boundLive(state: WindowState, span: Span): Span[] {
  return boundTo(state, span)
    .filter((index) => markOf(state, index) === LIVE)
    .map((index) => spanAt(state, index));
}

/** With `onEvidence: "refuse"`: what would go out of sight but for the ledger, all of it. */
export function evidenceLost(state: WindowState, kept: Candidates): Refusal[] {
  const leaving = new Set(
    [...kept.evict, ...kept.replace.flatMap(({ consumes }) => consumes)].map(({ index }) => index),
  );
  const refusals: Refusal[] = [];
  for (const index of [...state.watched].sort((a, b) => a - b)) {
    const claim = claimAt(state, index);
    if (!isProtected(state, claim)) continue;
    const live = liveCarriers(state, claim);
    if (live.length === 0 || !live.every((span) => leaving.has(span))) continue;
    const contested = openConflicts(state, claim).length > 0;
    if (contested) {
      const message = `claim ${claim.id}, one side of an open conflict, would lose its last carrier`;
      refusals.push(lost("conflict-asymmetry", message, claim.id));
    } else {
      const message = `claim ${claim.id}, which is evidence, would lose its last carrier`;
      refusals.push(lost("provenance-orphan", message, claim.id));
    }
  }
  return refusals;
}

function lost(
  code: "conflict-asymmetry" | "provenance-orphan",
  message: string,
  claimId: string,
): Refusal {
  return refusal(code, `${message}: leave its carrier out, or settle with onEvidence carry`, {
    claimId,
  });
}
