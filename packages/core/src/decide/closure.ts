import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { Edit } from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";

/** Edits that a refusal names. */
const NAMED = 20;

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
  if (state.unclosedCount === 0) return undefined;
  const edits: string[] = [];
  for (const { id, closed } of state.edits) if (!closed && edits.length < NAMED) edits.push(id);
  return refusal(
    "closure-broken",
    `the recovery record of edit ${edits.join(", ")} is missing or does not fit: nothing is ` +
      "pruned on top of it; verify the store, and restore it from a copy that holds",
    { unclosed: edits },
  );
}
