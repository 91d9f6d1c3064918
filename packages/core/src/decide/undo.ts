import type { Refusal } from "../commands/refusals.ts";
import { refusal, unknownEdit } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import type { WindowEvent } from "../events/schema.ts";
import type { Edit, Write } from "../state/marks.ts";
import {
  blockersOf,
  cascadeOf,
  editAt,
  effectOf,
  inverse,
  isInPlace,
  isReverted,
} from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";
import { boundaryAtOrBefore, findEdit, spanAt } from "../state/state.ts";
import { planOf } from "../view/plan.ts";
import { recordedSpans } from "../view/status.ts";
import { unclosed } from "./closure.ts";
import { editEvents, ownCallRefusals } from "./edits.ts";
import { editIdTaken, mintEditId } from "./ids.ts";
import { decideMerge } from "./merge.ts";
import type { Act, Outcome } from "./outcome.ts";
import { advance, checkContent, events, refuse, refused } from "./outcome.ts";
import { pinnedAgainst } from "./permissions.ts";
import { legalNear, moves } from "./rewind.ts";
import { lostContent } from "./spans.ts";

/** Most edits in one cascade; beyond it a rewind is the better tool. */
export const MAX_CASCADE = 256;

export function decideUndo(state: WindowState, command: CommandOf<"undo">, act: Act): Outcome {
  const { strategy = "revert", content } = command;
  if (content !== undefined && strategy !== "merge") {
    return refuse("invalid-command", "content belongs to strategy merge only");
  }
  const found = locate(state, command.editId, command.as);
  if (found.kind === "refused") return found;
  const { edit, named } = found;
  if (content !== undefined && named.verb === "undo") {
    return refuse(
      "invalid-command",
      `undoing the undo ${named.id} merges nothing: leave content out`,
      {
        editId: named.id,
      },
    );
  }
  // Undoing an undo is a redo.
  const outcome =
    named.verb === "undo"
      ? redoEdit(state, edit, command.as, act)
      : undoEdit(state, edit, command, act);
  return inTermsOf(named, outcome, "already-undone");
}

export function decideRedo(state: WindowState, command: CommandOf<"redo">, act: Act): Outcome {
  const found = locate(state, command.editId, command.as);
  if (found.kind === "refused") return found;
  const { edit, named } = found;
  const outcome =
    named.verb === "undo"
      ? undoEdit(state, edit, command, act)
      : redoEdit(state, edit, command.as, act);
  return inTermsOf(named, outcome, "not-undone");
}

/** Says that there is nothing to do about the undo or redo that was named, not about its target. */
function inTermsOf(named: Edit, outcome: Outcome, code: "already-undone" | "not-undone"): Outcome {
  if (named.target === undefined || outcome.kind !== "refused") return outcome;
  const said = outcome.refusals[0]?.code;
  if (said !== "already-undone" && said !== "not-undone") return outcome;
  const how = code === "not-undone" ? "is in force" : "was taken back already";
  return refuse(code, `the ${named.verb} ${named.id} ${how}`, { editId: named.id });
}

type Located =
  | Extract<Outcome, { kind: "refused" }>
  | {
      readonly kind: "found";
      /** The rewrite, evict or rewind that the command comes down to. */
      readonly edit: Edit;
      /** The edit that the command names. */
      readonly named: Edit;
    };

/** An undo or redo is never a target itself: it stands for the edit that it is about. */
function locate(state: WindowState, editId: string, as: string | undefined): Located {
  const named = findEdit(state, editId);
  if (named === undefined) {
    return { kind: "refused", refusals: [unknownEdit(editId)] };
  }
  const taken = editIdTaken(state, as);
  if (taken.length > 0) return { kind: "refused", refusals: taken };
  const edit = named.target === undefined ? named : editAt(state, named.target);
  const broken = unclosedOf(state, named, edit);
  if (broken !== undefined) return { kind: "refused", refusals: [unclosed(broken)] };
  return { kind: "found", edit, named };
}

/** The edit named, an undo or redo of the edit it comes down to, or that one: not closed. */
function unclosedOf(state: WindowState, named: Edit, edit: Edit): Edit | undefined {
  if (state.unclosedCount === 0) return undefined;
  if (!named.closed) return named;
  const about = state.edits.find(({ closed, target }) => !closed && target === edit.ordinal);
  return about ?? (edit.closed ? undefined : edit);
}

function undoEdit(
  state: WindowState,
  edit: Edit,
  { strategy = "revert", content, as }: Pick<CommandOf<"undo">, "strategy" | "content" | "as">,
  act: Act,
): Outcome {
  const effect = effectOf(state, edit);
  if (effect === "undone") {
    const since = isReverted(state, edit) ? "are as before" : "went on since";
    return refuse("already-undone", `edit ${edit.id} is undone already: its spans ${since}`, {
      editId: edit.id,
    });
  }
  if (effect === "superseded") return refused(supersededRefusal(state, edit, "undo", act));
  if (effect === "applied" && content !== undefined) {
    const problem = `edit ${edit.id} is in force, so there is nothing to merge: undo it as it is`;
    return refuse("invalid-command", problem, { editId: edit.id });
  }
  if (effect === "applied") return flip(state, edit, "undo", as, act);
  if (strategy === "cascade") return cascade(state, edit, as, act);
  if (strategy === "merge") return decideMerge(state, edit, { content, as }, act);
  return refused(staleRefusal(state, edit, "undo", act));
}

function redoEdit(state: WindowState, edit: Edit, as: string | undefined, act: Act): Outcome {
  const effect = effectOf(state, edit);
  if (effect === "superseded") return refused(supersededRefusal(state, edit, "redo", act));
  if (effect !== "undone") {
    return refuse("not-undone", `edit ${edit.id} is in force: there is nothing to redo`, {
      editId: edit.id,
    });
  }
  if (!isReverted(state, edit)) return refused(staleRefusal(state, edit, "redo", act));
  return flip(state, edit, "redo", as, act);
}

/** Writes back what an edit found (undo) or what it wrote (redo), once the content is proven. */
function flip(
  state: WindowState,
  edit: Edit,
  verb: "undo" | "redo",
  as: string | undefined,
  act: Act,
): Outcome {
  const writes: readonly Write[] = verb === "undo" ? inverse(edit.writes) : edit.writes;
  const { leaving, returning } = moves(state, writes);
  const touched = writes.map(({ span }) => spanAt(state, span));
  const problems = [...pinnedAgainst(act.by, leaving), ...ownCallRefusals(state, touched, act)];
  if (problems.length > 0) return refused(...problems);
  const { wanted, lost } = checkContent(state, returning, act.facts);
  if (wanted.length > 0) return { kind: "wanted", content: wanted };
  if (lost.length > 0) return refused(...lost.map(lostContent));
  return events(...editEvents(state, { verb, consumed: leaving, editId: as, target: edit.id }));
}

/** Undoes whatever was built on the edit, the last first, then the edit: one append. */
function cascade(state: WindowState, edit: Edit, as: string | undefined, act: Act): Outcome {
  const chain = cascadeOf(state, edit);
  if (chain.length > MAX_CASCADE) return refused(tooLarge(state, edit, chain.length, act));
  const broken = chain.filter(({ closed }) => !closed);
  if (broken.length > 0) return refused(...broken.map(unclosed));
  // All content at once: asking edit by edit would decide the whole chain anew for each of them.
  const { wanted } = checkContent(
    state,
    chain.flatMap((one) => recordedSpans(state, one)),
    act.facts,
  );
  if (wanted.length > 0) return { kind: "wanted", content: wanted };
  const list: WindowEvent[] = [];
  let current = state;
  for (const one of chain) {
    const id = one === edit ? as : mintEditId(current, current.edits.size + 1, as);
    const outcome = flip(current, one, "undo", id, act);
    if (outcome.kind !== "events") return outcome;
    list.push(...outcome.events);
    current = advance(current, outcome.events, act);
  }
  return events(...list);
}

function tooLarge(state: WindowState, edit: Edit, size: number, act: Act): Refusal {
  const rewindTo = legalNear(boundaryBefore(state, edit), act);
  return refusal(
    "cascade-too-large",
    `the cascade would undo ${size} edits, more than ${MAX_CASCADE}: ` +
      `rewind to revision ${rewindTo} instead`,
    { editId: edit.id, edits: size, rewindTo },
  );
}

/** A rewind that was built upon is not undone: the state before it is reached by another one. */
function supersededRefusal(
  state: WindowState,
  edit: Edit,
  verb: "undo" | "redo",
  act: Act,
): Refusal {
  const usual = verb === "redo" ? (edit.to ?? 0) : boundaryBefore(state, edit);
  const rewindTo = legalNear(usual, act);
  return refusal(
    "superseded",
    `rewind ${edit.id} was built upon since: rewind to revision ${rewindTo} instead`,
    { editId: edit.id, rewindTo },
  );
}

function boundaryBefore(state: WindowState, { revision }: Edit): number {
  return boundaryAtOrBefore(state, revision - 1) ?? 0;
}

function staleRefusal(state: WindowState, edit: Edit, verb: "undo" | "redo", act: Act): Refusal {
  const blockers = blockersOf(state, edit, verb).map(({ id }) => id);
  const plan = verb === "undo" ? cascadePlan(state, edit, act) : undefined;
  return refusal(
    "stale-edit",
    `edit ${edit.id} cannot be ${verb === "undo" ? "undone" : "redone"} as it is: ` +
      `${blockers.join(", ") || "an earlier edit"} changed its spans since` +
      (plan === undefined ? "" : "; strategy cascade follows the plan, merge keeps later work"),
    { editId: edit.id, blockers, ...(plan !== undefined && { plan }) },
  );
}

/** What a cascade would do, without asking the store whether the content is still there. */
function cascadePlan(state: WindowState, edit: Edit, act: Act) {
  const chain = cascadeOf(state, edit);
  if (chain.length > MAX_CASCADE) return undefined;
  let current = state;
  for (const one of chain) {
    if (!isInPlace(current, one)) return undefined;
    const { leaving } = moves(current, inverse(one.writes));
    const undo = editEvents(current, { verb: "undo", consumed: leaving, target: one.id });
    current = advance(current, undo, act);
  }
  return planOf(state, current, act.tokenizer, edit);
}
