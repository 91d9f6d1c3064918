import type { Verb } from "../events/schema.ts";
import type { ContentFact } from "../state/content.ts";
import { isFunction } from "../state/epochs.ts";
import type { Edit, Effect } from "../state/marks.ts";
import { blockersOf, effectOf, LIVE } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";

/** Second axis of an edit's status: whether the content it took can still be had. */
export type Recovery =
  /** Its record is not there or is not sound, so nobody can say what it took. */
  "missing" | "proven" | "unknown" | "lost";

/** The one word that is shown; the first that applies, in this order. */
export type StatusWord =
  | "irreversible"
  | "undone"
  | "superseded"
  | "merged"
  | "stale"
  | "unknown"
  | "provisional"
  | "reversible";

/** What became of an edit, and what undoing it would take. */
export interface EditStatus {
  /** Id of the edit. */
  readonly editId: string;
  /** Place among the edits of the window, from 1. */
  readonly ordinal: number;
  /** What kind of edit it is. */
  readonly verb: Verb;
  /** First axis: whether the edit is in force. */
  readonly effect: Effect;
  /** Second axis: whether the content it took can still be had. */
  readonly recovery: Recovery;
  /** Both axes and the promises of the store, as one word. */
  readonly word: StatusWord;
  /** Ids of the edits in the way of undoing it, or, when it is undone, of redoing it. */
  readonly blockers: readonly string[];
}

/** What a status asks of a log: who keeps each promise (`Guarantees` of the log port). */
export type Promises = Readonly<Record<"appendOnly" | "writersSeparated", string>>;

/** The spans that an edit's recovery record names: those it took out of view. */
export function recordedSpans(state: WindowState, edit: Edit): Span[] {
  return edit.writes
    .filter(({ before, after }) => before === LIVE && after !== LIVE)
    .map(({ span }) => spanAt(state, span));
}

/** `facts` holds what a probe found just now, by content revision; what is not in it is unknown. */
export function statusOf(
  state: WindowState,
  edit: Edit,
  facts: ReadonlyMap<number, ContentFact>,
  guarantees: Promises,
): EditStatus {
  return statusWith(state, edit, recoveryOf(state, edit, facts), guarantees);
}

/** As `statusOf`, with the recovery taken from elsewhere, such as a verdict. */
export function statusWith(
  state: WindowState,
  edit: Edit,
  recovery: Recovery,
  guarantees: Promises,
): EditStatus {
  const effect = effectOf(state, edit);
  const known = edit.closed ? recovery : "missing";
  const blockers = blockersOf(state, edit, effect === "undone" ? "redo" : "undo");
  return {
    editId: edit.id,
    ordinal: edit.ordinal,
    verb: edit.verb,
    effect,
    recovery: known,
    word: wordOf(effect, known, isChecked(state, edit) ? guarantees : UNCHECKED),
    blockers: blockers.map(({ id }) => id),
  };
}

export function recoveryOf(
  state: WindowState,
  edit: Edit,
  facts: ReadonlyMap<number, ContentFact>,
): Recovery {
  if (!edit.closed) return "missing";
  let recovery: Recovery = "proven";
  for (const span of recordedSpans(state, edit)) {
    const fact = facts.get(span.contentRevision);
    if (fact?.intact === false) return "lost";
    if (fact === undefined) recovery = "unknown";
  }
  return recovery;
}

const UNCHECKED: Promises = { appendOnly: "none", writersSeparated: "none" };

/** False for an edit that a host's own function chose: nobody can check that from the stream. */
function isChecked(state: WindowState, { proposalId }: Edit): boolean {
  const proposal = proposalId === undefined ? undefined : state.proposals.get(proposalId);
  const policy =
    proposal?.policyId === undefined ? undefined : state.policies.get(proposal.policyId);
  return policy === undefined || !isFunction(policy);
}

/** The first that applies, in the order of design §4. */
function wordOf(effect: Effect, recovery: Recovery, guarantees: Promises): StatusWord {
  if (recovery === "lost" || recovery === "missing") return "irreversible";
  if (effect !== "applied") return effect;
  if (recovery === "unknown") return "unknown";
  const { appendOnly, writersSeparated } = guarantees;
  return appendOnly === "none" || writersSeparated === "none" ? "provisional" : "reversible";
}
