import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import type { WindowEvent } from "../events/schema.ts";
import type { Write } from "../state/marks.ts";
import { ABSENT, LIVE, markOf, rewindWrites } from "../state/marks.ts";
import { ownSpans } from "../state/own-call.ts";
import type { Span, WindowState } from "../state/state.ts";
import { bornUpTo, boundaryAtOrBefore, spanAt } from "../state/state.ts";
import { brokenBonds, isOpenCall } from "./bonds.ts";
import { unclosed, unclosedSince } from "./closure.ts";
import { editEvents } from "./edits.ts";
import { editIdTaken } from "./ids.ts";
import type { Act, Outcome } from "./outcome.ts";
import { advance, checkContent, events, NOTHING, refused } from "./outcome.ts";
import { pinnedAgainst } from "./permissions.ts";
import { lostContent } from "./spans.ts";

/** How many append boundaries are tried, each way, to name the nearest legal one. */
const NEAREST_TRIES = 128;

export function decideRewind(
  state: WindowState,
  { to, as, abandonOpenCalls = false }: CommandOf<"rewind">,
  act: Act,
): Outcome {
  if (!isTarget(state, to)) return refused(outOfRange(state, to));
  const taken = editIdTaken(state, as);
  if (taken.length > 0) return refused(...taken);
  const writes = writesTo(state, to, act.via);
  if (writes.length === 0) return NOTHING;
  const { leaving, returning } = moves(state, writes);
  const pinned = pinnedAgainst(act.by, leaving);
  if (pinned.length > 0) return refused(...pinned);
  const broken = unclosedSince(state, to);
  if (broken.length > 0) return refused(...broken.map(unclosed));
  const open = openCallsLost(state, writes);
  if (open.length > 0 && !abandonOpenCalls) return refused(openCalls(open));
  const edit = editEvents(state, {
    verb: "rewind",
    consumed: leaving,
    editId: as,
    to,
    abandoned: open,
  });
  // What is broken before the append ends may be mended by then.
  const bonds = act.isLast ? bondsAfter(state, edit, writes, act) : [];
  if (bonds.length > 0) return refused(...withNearest(state, to, bonds, act));
  const { wanted, lost } = checkContent(state, returning, act.facts);
  if (wanted.length > 0) return { kind: "wanted", content: wanted };
  if (lost.length > 0) return refused(...lost.map(lostContent));
  return events(...edit);
}

/** Targets are append boundaries; 0 is the empty window however it was opened. */
function isTarget(state: WindowState, to: number): boolean {
  return to === 0 || (to > 0 && boundaryAtOrBefore(state, to) === to);
}

function outOfRange(state: WindowState, to: number): Refusal {
  const last = boundaryAtOrBefore(state, state.revision) ?? 0;
  if (to < 0 || to > last) {
    return refusal("out-of-range", `revision ${to} is not in 0..${last}: choose one that is`, {
      to,
      last,
    });
  }
  const nearest = boundaryAtOrBefore(state, to) ?? 0;
  return refusal(
    "out-of-range",
    `revision ${to} lies in the middle of an append: rewind to ${nearest}, where it began`,
    { to, nearest },
  );
}

function writesTo(state: WindowState, to: number, via: string | undefined): Write[] {
  return rewindWrites(state, to, bornUpTo(state, to), ownSpans(state, via));
}

/** The live spans that leave and the spans that become live. */
export function moves(
  state: WindowState,
  writes: readonly Write[],
): { readonly leaving: Span[]; readonly returning: Span[] } {
  const leaving: Span[] = [];
  const returning: Span[] = [];
  for (const { span, after } of writes) {
    const before = markOf(state, span);
    if (before === LIVE && after !== LIVE) leaving.push(spanAt(state, span));
    if (before !== LIVE && after === LIVE) returning.push(spanAt(state, span));
  }
  return { leaving, returning };
}

/** Calls without a result whose last live span becomes absent. */
function openCallsLost(state: WindowState, writes: readonly Write[]): string[] {
  const stays = new Set<string>();
  const lost = new Set<string>();
  for (const { span, after } of writes) {
    const { call } = spanAt(state, span);
    if (call === undefined || !isOpenCall(state, call)) continue;
    if (after === LIVE) stays.add(call);
    else if (after === ABSENT) lost.add(call);
  }
  return [...lost].filter((call) => !stays.has(call));
}

function openCalls(calls: readonly string[]): Refusal {
  return refusal(
    "open-call",
    `call(s) ${calls.slice(0, 20).join(", ")} have no result yet: admit the results first, or ` +
      "send abandonOpenCalls: true, and their late results will be refused",
    { calls: [...calls] },
  );
}

function bondsAfter(
  state: WindowState,
  edit: readonly WindowEvent[],
  writes: readonly Write[],
  act: Act,
): Refusal[] {
  const after = advance(state, edit, act);
  return brokenBonds(
    state,
    after,
    writes.map(({ span }) => span),
  );
}

/** Adds the nearest boundary that a rewind may go to. */
function withNearest(
  state: WindowState,
  to: number,
  broken: readonly Refusal[],
  act: Act,
): Refusal[] {
  const legal = nearestTo(state, to, (one) => isLegal(state, one, act));
  return broken.map((one) => ({
    ...one,
    message: `${one.message}; the nearest revision a rewind may go to is ${legal}`,
    nearest: legal,
  }));
}

/**
 * `to`, if a rewind may go there, or else the nearest boundary that one may go to: from where the
 * append began, for it is refused as a whole.
 */
export function legalNear(to: number, act: Act): number {
  const { start, via } = act;
  if (isLegal(start, to, act)) return to;
  const isThere = (one: number) => writesTo(start, one, via).length === 0;
  return nearestTo(start, to, (one) => !isThere(one) && isLegal(start, one, act));
}

function nearestTo(state: WindowState, to: number, may: (boundary: number) => boolean): number {
  const { boundaries } = state;
  const here = boundaries.findLastIndex((revision) => revision <= to);
  for (let step = 1; step <= NEAREST_TRIES; step += 1) {
    const candidates = [boundaries.get(here - step), boundaries.get(here + step)].filter(
      (revision, i): revision is number => revision !== undefined && (i === 1 || here >= step),
    );
    candidates.sort((a, b) => Math.abs(a - to) - Math.abs(b - to));
    const found = candidates.find(may);
    if (found !== undefined) return found;
  }
  return 0;
}

/** A rewind that gives up the open calls in its way breaks no bond and takes no pinned span. */
function isLegal(state: WindowState, to: number, act: Act): boolean {
  const writes = writesTo(state, to, act.via);
  if (pinnedAgainst(act.by, moves(state, writes).leaving).length > 0) return false;
  const abandoned = openCallsLost(state, writes);
  const edit = editEvents(state, { verb: "rewind", consumed: [], to, abandoned });
  return bondsAfter(state, edit, writes, act).length === 0;
}
