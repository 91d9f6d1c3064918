import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { Edit } from "../state/marks.ts";
import { ABSENT, LIVE, markOf } from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";

/*
 * Bonds are a rule on the state at the end of every append (design §4): a call without a result is
 * live exactly once, unless a rewind that is in force abandoned it; a call and its result are both
 * live once or neither; all spans of a group are live, or none.
 */

/**
 * The bonds that the spans in `touched` take part in and that `state` breaks, each once. `before`
 * is the state before the append.
 */
export function brokenBonds(
  before: WindowState,
  state: WindowState,
  touched: Iterable<number>,
): Refusal[] {
  const calls = new Set<string>();
  const groups = new Set<string>();
  for (const index of touched) {
    const span = spanAt(state, index);
    if (span.call !== undefined) calls.add(span.call);
    if (span.group !== undefined) groups.add(span.group);
  }
  const broken: Refusal[] = [];
  for (const call of calls) {
    const problem = brokenCall(before, state, call);
    if (problem !== undefined) broken.push(problem);
  }
  for (const group of groups) {
    const problem = brokenGroup(state, group);
    if (problem !== undefined) broken.push(problem);
  }
  return broken;
}

function brokenCall(before: WindowState, state: WindowState, call: string): Refusal | undefined {
  const bond = state.spans.call(call) ?? { calls: [], results: [] };
  const calls = liveAmong(state, bond.calls);
  const results = liveAmong(state, bond.results);
  if (bond.results.length > 0) {
    if (calls === results && calls <= 1) return undefined;
    const alone = calls > results ? "its call" : "its result";
    return refusal(
      "bond-broken",
      `call ${call} and its result are live together or not at all; ${alone} would stand alone: ` +
        "name both or neither",
      { call, spans: idsOf(state, [...bond.calls, ...bond.results]) },
    );
  }
  if (calls === 1 || isAbandoned(before, state, call)) return undefined;
  return refusal(
    "open-call",
    `call ${call} has no result yet and must stay live: admit its result first`,
    { call, spans: idsOf(state, bond.calls) },
  );
}

function brokenGroup(state: WindowState, id: string): Refusal | undefined {
  const group = state.spans.group(id) ?? { members: 0, players: [] };
  const live = liveAmong(state, group.players);
  if (live === 0 || live === group.members) return undefined;
  return refusal(
    "bond-broken",
    `group ${id} is live as a whole or not at all; ${live} of ${group.members} spans would be ` +
      "live: name all of them or none",
    { group: id, spans: idsOf(state, group.players) },
  );
}

/**
 * Abandoned by a rewind still in force: some rewind gave it up, and its span is absent again. A
 * rewind of this append must itself have given up the calls that were open before; an undo or redo
 * brings back what an earlier one had given up.
 */
function isAbandoned(before: WindowState, state: WindowState, call: string): boolean {
  const players = state.spans.call(call)?.calls ?? [];
  if (players.some((index) => markOf(state, index) !== ABSENT)) return false;
  const givenUp = (edit: Edit) => edit.abandoned?.includes(call) === true;
  if (isOpenCall(before, call)) {
    const last = state.edits.findLast(({ writes }) =>
      writes.some(({ span }) => players.includes(span)),
    );
    if (last?.verb === "rewind") return givenUp(last);
  }
  return state.edits.some(givenUp);
}

/** The open calls: no result was ever admitted, and the call is live. */
export function isOpenCall(state: WindowState, call: string): boolean {
  const bond = state.spans.call(call);
  return bond !== undefined && bond.results.length === 0 && liveAmong(state, bond.calls) > 0;
}

function liveAmong(state: WindowState, spans: readonly number[]): number {
  return spans.filter((index) => markOf(state, index) === LIVE).length;
}

/** Ids of at most 20 of the spans: a message is read by a person. */
function idsOf(state: WindowState, spans: readonly number[]): string[] {
  return spans.slice(0, 20).map((index) => spanAt(state, index).id);
}
