import { effectOf } from "@palimpsest/core/state";
import { renderWindow } from "@palimpsest/core/view";
import type { PureCommand, PureWindow } from "./pure.ts";
import { contentAt, referenceOf, run } from "./pure.ts";
import { marksOf } from "./reference.ts";
import { redo, rewind, undo } from "./say.ts";

/*
 * The laws of design §4 as functions of a window: each tries what it is about on branches of the
 * window and says which law broke, in a sentence. A law whose condition does not hold is silent.
 */

/** e·e⁻¹·e = e, for an edit in force: undo, redo and undo again go to and fro. */
export function undoIsAnInverse(window: PureWindow, editId: string): string[] {
  const undone = after(window, undo(editId));
  if (undone === undefined) return [];
  const redone = after(undone, redo(editId));
  if (redone === undefined) return [`redo ${editId} is refused right after its undo`];
  const again = after(redone, undo(editId));
  return [
    ...differences(`undo, redo ${editId}`, window, redone),
    ...(again === undefined ? [`undo ${editId} is refused right after its redo`] : []),
    ...(again === undefined ? [] : differences(`undo, redo, undo ${editId}`, undone, again)),
  ];
}

/** The mirror, for an edit that is undone. */
export function redoIsAnInverse(window: PureWindow, editId: string): string[] {
  const redone = after(window, redo(editId));
  if (redone === undefined) return [];
  const back = after(redone, undo(editId));
  if (back === undefined) return [`undo ${editId} is refused right after its redo`];
  return differences(`redo, undo ${editId}`, window, back);
}

/** Undos of independent edits commute. Independent: no span is in both. */
export function undosCommute(window: PureWindow, one: string, other: string): string[] {
  const { edits } = referenceOf(window);
  const touched = (id: string) => [...(edits.find((edit) => edit.id === id)?.after.keys() ?? [])];
  if (touched(one).some((span) => touched(other).includes(span))) return [];
  const [first, second] = [after(window, undo(one)), after(window, undo(other))];
  if (first === undefined || second === undefined) return [];
  const [left, right] = [after(first, undo(other)), after(second, undo(one))];
  if (left === undefined || right === undefined) return [`${one} and ${other} do not both undo`];
  return differences(`undo ${one} and ${other} in both orders`, left, right);
}

/** A rewind is exact, its undo is the identity, and its redo repeats it. */
export function rewindIsExact(window: PureWindow, to: number): string[] {
  const gone = after(window, rewind(to, { as: "law", abandonOpenCalls: true }));
  if (gone === undefined) return [];
  const then = referenceOf(window).tables[to] ?? new Map();
  const now = marksOf(referenceOf(gone));
  const problems = [...now]
    .filter(([id, mark]) => mark !== (then.get(id) ?? "absent"))
    .map(([id, mark]) => `after rewind ${to}, ${id} is ${mark}`);
  return [...problems, ...undoIsAnInverse(gone, "law"), ...undoOfRewind(window, gone)];
}

function undoOfRewind(window: PureWindow, gone: PureWindow): string[] {
  const back = after(gone, undo("law"));
  if (back === undefined) return ["a rewind that nothing was built upon cannot be undone"];
  return differences("undo of a rewind", window, back);
}

/** Every law of `window`, for every edit and every revision. */
export function brokenLaws(window: PureWindow): string[] {
  const edits = referenceOf(window).edits.filter(({ verb }) => verb !== "undo" && verb !== "redo");
  const ids = edits.map(({ id }) => id);
  return [
    ...ids.flatMap((id) => [...undoIsAnInverse(window, id), ...redoIsAnInverse(window, id)]),
    ...ids.flatMap((one, i) =>
      ids.slice(i + 1).flatMap((other) => undosCommute(window, one, other)),
    ),
    ...referenceOf(window).boundaries.flatMap((to) => rewindIsExact(window, to)),
  ];
}

function after(window: PureWindow, command: PureCommand): PureWindow | undefined {
  const answer = run(window, command);
  return answer.outcome === "accepted" ? answer.window : undefined;
}

/**
 * What differs of the two windows in marks, status of the edits that both have, and the bytes
 * shown. Their ledger heads count different numbers of edits, so the last line is left out.
 */
export function differences(what: string, a: PureWindow, b: PureWindow): string[] {
  const shared = Math.min(a.state.edits.size, b.state.edits.size);
  const problems: string[] = [];
  if (!a.state.marks.equals(b.state.marks)) problems.push(`${what}: the marks differ`);
  if (effects(a, shared) !== effects(b, shared)) problems.push(`${what}: effects differ`);
  if (shown(a) !== shown(b)) problems.push(`${what}: the windows shown differ`);
  return problems;
}

function effects({ state }: PureWindow, upTo: number): string {
  return [...state.edits]
    .slice(0, upTo)
    .map((edit) => effectOf(state, edit))
    .join();
}

function shown({ state, events }: PureWindow): string {
  return renderWindow(state, contentAt(events)).replace(/::ledger[^\n]*\n$/, "");
}
