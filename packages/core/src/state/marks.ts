import type { List, Map as PersistentMap } from "immutable";
import type { Verb } from "../events/schema.ts";

/*
 * The algebra of marks (design §4). "An edit can be undone as long as its spans are exactly as it
 * left them": an edit is a partial, invertible overwrite of the marks of its own spans. Everything
 * here is a pure function of the marks and of what each edit wrote; nothing is stored twice.
 */

/** What the fold knows of a span: `LIVE`, `ABSENT`, or the ordinal of the edit that consumed it. */
export type Mark = number;
export const LIVE: Mark = 0;
export const ABSENT: Mark = -1;

/** One overwritten mark. Spans are named by index, in order of birth. */
export interface Write {
  readonly span: number;
  readonly before: Mark;
  readonly after: Mark;
}

/** What the fold keeps of an edit. */
export interface Edit {
  readonly id: string;
  readonly ordinal: number;
  readonly verb: Verb;
  readonly revision: number;
  /** Its recovery record is there and is sound (closure.ts). */
  readonly closed: boolean;
  /** T(e) with the marks before and after: the spans it took, then the span it created. */
  readonly writes: readonly Write[];
  /** Index of the span a rewrite created. */
  readonly product?: number;
  /** Ordinal of the edit that an undo or redo is about. */
  readonly target?: number;
  /** Ordinal of the edit whose reversal this rewrite merged in. */
  readonly mergeOf?: number;
  /** Revision a rewind went to. */
  readonly to?: number;
  /** The proposal that it was committed from. */
  readonly proposalId?: string;
  /** Calls without a result that a rewind took out of view. */
  readonly abandoned?: readonly string[];
}

/** The part of the window's state that the algebra is about. */
export interface MarkState {
  /** Mark by span index. */
  readonly marks: List<Mark>;
  /** Edit by ordinal − 1. */
  readonly edits: List<Edit>;
  /** Ordinals of the merges of an edit, by its ordinal. */
  readonly merges: PersistentMap<number, readonly number[]>;
}

/**
 * `superseded` is for rewinds and what redid one, `merged` for rewrites and what redid one. An undo
 * is `stale` while its target is undone but no longer as it was found.
 */
export type Effect = "applied" | "stale" | "merged" | "undone" | "superseded";

export function markOf(state: MarkState, span: number): Mark {
  const mark = state.marks.get(span);
  if (mark === undefined) throw new RangeError(`no span has index ${span}`);
  return mark;
}

export function editAt(state: MarkState, ordinal: number): Edit {
  const edit = ordinal > 0 ? state.edits.get(ordinal - 1) : undefined;
  if (edit === undefined) throw new RangeError(`no edit has ordinal ${ordinal}`);
  return edit;
}

/** The marks on T(e) are what e wrote: the condition of undo. */
export function isInPlace(state: MarkState, edit: Edit): boolean {
  return edit.writes.every(({ span, after }) => markOf(state, span) === after);
}

/** The marks on T(e) are what e found: the condition of redo. */
export function isReverted(state: MarkState, edit: Edit): boolean {
  return edit.writes.every(({ span, before }) => markOf(state, span) === before);
}

/** e⁻¹: what undo writes and, for an inverse, what redo writes. */
export function inverse(writes: readonly Write[]): Write[] {
  return writes.map(({ span, before, after }) => ({ span, before: after, after: before }));
}

/** The inputs of a rewrite or evict are still held by it, wherever its product went since. */
function holdsInputs(state: MarkState, edit: Edit): boolean {
  return edit.writes.every(
    ({ span, after }) => span === edit.product || markOf(state, span) === after,
  );
}

/** First axis of an edit's status, read from the marks (undo and redo: from their target's). */
export function effectOf(state: MarkState, edit: Edit): Effect {
  if (edit.verb === "redo") return effectOf(state, editAt(state, edit.target ?? 0));
  if (edit.verb === "undo") {
    const target = editAt(state, edit.target ?? 0);
    if (effectOf(state, target) !== "undone") return "undone";
    return isReverted(state, target) ? "applied" : "stale";
  }
  const effect = ownEffect(state, edit);
  return effect === "stale" && isMerged(state, edit) ? "merged" : effect;
}

/** The effect of a rewrite, evict or rewind by its own spans alone. */
function ownEffect(state: MarkState, edit: Edit): Exclude<Effect, "merged"> {
  if (isInPlace(state, edit)) return "applied";
  if (edit.verb === "rewind") {
    return isReverted(state, edit) || !isBuiltUpon(state, edit) ? "undone" : "superseded";
  }
  return holdsInputs(state, edit) ? "stale" : "undone";
}

/**
 * A merge of the edit is applied or stale. A merge may be merged in its turn, in a chain as long
 * as the history, so the chain is walked and not called.
 */
function isMerged(state: MarkState, edit: Edit): boolean {
  const stale = new Set([edit]);
  const inForce = new Set<number>();
  const mergesOf = ({ ordinal }: Edit) => state.merges.get(ordinal) ?? [];
  for (const one of stale) {
    for (const merge of mergesOf(one).map((ordinal) => editAt(state, ordinal))) {
      const effect = ownEffect(state, merge);
      if (effect === "applied" || effect === "stale") inForce.add(merge.ordinal);
      if (effect === "stale") stale.add(merge);
    }
  }
  const merged = new Set<Edit>();
  for (const one of [...stale].reverse()) {
    if (!mergesOf(one).some((ordinal) => inForce.has(ordinal))) continue;
    merged.add(one);
    inForce.delete(one.ordinal);
  }
  return merged.has(edit);
}

/**
 * For a rewind whose spans are neither as it left them nor as it found them: whether something
 * changed one of them on top of what it wrote, and not after it was undone. Costs as much as
 * happened since.
 */
function isBuiltUpon(state: MarkState, rewind: Edit): boolean {
  const writers = new Map(rewind.writes.map(({ span }) => [span, [rewind]]));
  for (let ordinal = rewind.ordinal + 1; ordinal <= state.edits.size; ordinal += 1) {
    const later = editAt(state, ordinal);
    for (const { span } of later.writes) writers.get(span)?.push(later);
  }
  return [...writers.values()].some(isOnFirst);
}

/** Whether the mark of one span came about on top of what the first of its writers wrote. */
function isOnFirst(writers: readonly Edit[]): boolean {
  let at = writers.length - 1;
  while (at > 0) {
    const { target, to } = writers[at] as Edit;
    at -= 1;
    // An undo or redo goes back to before its target was applied, or was last taken back.
    if (target !== undefined) {
      while (at >= 0 && writers[at]?.ordinal !== target && writers[at]?.target !== target) at -= 1;
      at -= 1;
    }
    if (to !== undefined) {
      while (at >= 0 && (writers[at]?.revision ?? 0) > to) at -= 1;
      // A rewind to before the first was made on top of it all the same.
      if (at < 0) return true;
    }
  }
  return at === 0;
}

/** The edit that consumed the product of `edit`, if one did. */
export function consumerOf(state: MarkState, edit: Edit): Edit | undefined {
  if (edit.product === undefined) return undefined;
  const mark = markOf(state, edit.product);
  return mark > 0 ? editAt(state, mark) : undefined;
}

/**
 * The edits to undo so that `edit` is undone, in the order to undo them; `edit` is the last. While
 * some product is consumed, its consumer goes first: a chain, since an edit has one product.
 */
export function cascadeOf(state: MarkState, edit: Edit): Edit[] {
  const chain = [edit];
  for (let next = consumerOf(state, edit); next !== undefined; next = consumerOf(state, next)) {
    chain.push(next);
  }
  return chain.reverse();
}

/** The edits that keep `edit` from being undone (`undo`) or redone, each once, oldest first. */
export function blockersOf(state: MarkState, edit: Edit, verb: "undo" | "redo"): Edit[] {
  const blockers = new Set<Edit>();
  for (const { span, before, after } of edit.writes) {
    const mark = markOf(state, span);
    if (mark === (verb === "undo" ? after : before)) continue;
    const blocker = mark > 0 ? editAt(state, mark) : lastWriter(state, span);
    if (blocker !== undefined && blocker !== edit) blockers.add(blocker);
  }
  return [...blockers].sort((a, b) => a.ordinal - b.ordinal);
}

/**
 * The edit whose effect a live or absent span's mark is; for an undo or redo, the edit it was
 * about.
 */
function lastWriter(state: MarkState, span: number): Edit | undefined {
  for (let ordinal = state.edits.size; ordinal > 0; ordinal -= 1) {
    const edit = editAt(state, ordinal);
    if (!edit.writes.some((write) => write.span === span)) continue;
    return edit.target === undefined ? edit : editAt(state, edit.target);
  }
  return undefined;
}

/**
 * What makes the marks exactly M(`to`): spans born after `to` become absent, and each of the others
 * gets the mark it had before the first edit after `to` that wrote it. Costs as much as happened
 * since `to`. `firstLater` is the index of the first span born after `to`; spans in `outside` keep
 * their marks (a rewind leaves the call that asked for it alone).
 */
export function rewindWrites(
  state: MarkState,
  to: number,
  firstLater: number,
  outside: ReadonlySet<number>,
): Write[] {
  const targets = new Map<number, Mark>();
  for (let ordinal = state.edits.size; ordinal > 0; ordinal -= 1) {
    const edit = editAt(state, ordinal);
    if (edit.revision <= to) break;
    for (const { span, before } of edit.writes) {
      if (span < firstLater) targets.set(span, before);
    }
  }
  for (let span = firstLater; span < state.marks.size; span += 1) targets.set(span, ABSENT);
  const writes: Write[] = [];
  for (const [span, after] of targets) {
    const before = markOf(state, span);
    if (before !== after && !outside.has(span)) writes.push({ span, before, after });
  }
  return writes.sort((a, b) => a.span - b.span);
}
