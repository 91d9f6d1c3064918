import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { Edit } from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";

/** Edits that a refusal names. */
const NAMED = 20;

/** The edits after a revision that are not closed, at most as many as a refusal names. */
export function unclosedSince(state: WindowState, revision: number): Edit[] {
  if (state.unclosedCount === 0) return [];
  const broken = [...state.edits].filter((edit) => !edit.closed && edit.revision > revision);
  return broken.slice(0, NAMED);
}

/** Why nothing is taken back through an edit that is not closed. */
export function unclosed({ id }: Edit): Refusal {
  return refusal(
    "irreversible-edit",
    `the recovery record of edit ${id} is missing or does not fit, so nobody can say what it ` +
      "took: verify the store, and restore it from a copy that holds",
    { editId: id, recovery: "missing" },
  );
}

/** Why nothing is pruned on top of an edit that is not closed; undefined where there is none. */
export function closureBroken(state: WindowState): Refusal | undefined {
  const edits = unclosedSince(state, -1).map(({ id }) => id);
  if (edits.length === 0) return undefined;
  return refusal(
    "closure-broken",
    `the recovery record of edit ${edits.join(", ")} is missing or does not fit: nothing is ` +
      "pruned on top of it; verify the store, and restore it from a copy that holds",
    { unclosed: edits },
  );
}
