import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { Json } from "../json/json.ts";
import type { Edit } from "../state/marks.ts";
import { consumerOf, effectOf, LIVE, markOf } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import { ownCallRefusals, rewriteOf } from "./edits.ts";
import { mergeLines } from "./merge-lines.ts";
import type { Act, Outcome } from "./outcome.ts";
import { checkContent, refuse, refused } from "./outcome.ts";
import { pinnedRefusal } from "./permissions.ts";
import { lostContent } from "./spans.ts";

/**
 * Takes an edit back out of what was made of its product since: a three-way merge by lines with
 * base = what the edit produced, theirs = what it took, ours = today's descendant. The result is a
 * new rewrite of the descendant; the edit itself stays where it is and counts as `merged`.
 */
export function decideMerge(
  state: WindowState,
  edit: Edit,
  { content, as }: { readonly content?: Json | undefined; readonly as?: string | undefined },
  act: Act,
): Outcome {
  if (effectOf(state, edit) === "merged") {
    return refuse("already-merged", `edit ${edit.id} is merged already: undo the merge instead`, {
      editId: edit.id,
    });
  }
  const parts = partsOf(state, edit);
  if (parts === undefined)
    return refused(notMergeable(edit, "no live span stands for its product alone"));
  const { ours } = parts;
  const problems = ownCallRefusals(state, [ours], act);
  if (ours.pinned) problems.push(pinnedRefusal(ours, "no rewrite takes it"));
  if (problems.length > 0) return refused(...problems);
  const { wanted, lost } = checkContent(state, allOf(parts), act.facts);
  if (wanted.length > 0) return { kind: "wanted", content: wanted };
  if (lost.length > 0) return refused(...lost.map(lostContent));
  const into = { editId: as, mergeOf: edit.id };
  if (content !== undefined) return rewriteOf(state, [ours], { ...into, content }, act);
  const texts = textsOf(parts, act);
  if (texts === undefined) return refused(notMergeable(edit, "its content is not text"));
  const merged = mergeLines(texts.base, texts.ours, texts.theirs);
  if (merged === undefined) return refused(conflict(edit, texts));
  return rewriteOf(state, [ours], { ...into, content: merged }, act);
}

/** The spans whose content a merge is made of; none where the edit cannot be merged. */
export function mergedSpans(state: WindowState, edit: Edit): Span[] {
  const parts = partsOf(state, edit);
  return parts === undefined ? [] : allOf(parts);
}

interface Parts {
  readonly base: Span;
  readonly theirs: readonly Span[];
  readonly ours: Span;
}

function allOf({ base, theirs, ours }: Parts): Span[] {
  return [base, ...theirs, ours];
}

/** Follows the product through 1-to-1 rewrites to the live span it became. */
function partsOf(state: WindowState, edit: Edit): Parts | undefined {
  if (edit.product === undefined) return undefined;
  let last = edit;
  for (let next = consumerOf(state, edit); next !== undefined; next = consumerOf(state, next)) {
    if (next.product === undefined || next.writes.length !== 2) return undefined;
    last = next;
  }
  const ours = last.product;
  if (ours === undefined || markOf(state, ours) !== LIVE) return undefined;
  return {
    base: spanAt(state, edit.product),
    theirs: edit.writes
      .filter(({ span }) => span !== edit.product)
      .map(({ span }) => spanAt(state, span)),
    ours: spanAt(state, ours),
  };
}

interface Texts {
  readonly base: string;
  readonly theirs: string;
  readonly ours: string;
}

function textsOf({ base, theirs, ours }: Parts, { facts }: Act): Texts | undefined {
  const text = (span: Span): string | undefined => {
    const fact = facts.get(span.contentRevision);
    return fact?.intact === true && typeof fact.content === "string" ? fact.content : undefined;
  };
  const taken = theirs.map(text);
  const texts = { base: text(base), ours: text(ours) };
  if (texts.base === undefined || texts.ours === undefined) return undefined;
  if (taken.some((one) => one === undefined)) return undefined;
  return { base: texts.base, ours: texts.ours, theirs: taken.join("\n") };
}

function notMergeable(edit: Edit, why: string): Refusal {
  return refusal(
    "not-mergeable",
    `edit ${edit.id} cannot be merged: ${why}; undo it with strategy cascade, or rewind`,
    { editId: edit.id },
  );
}

function conflict(edit: Edit, { base, theirs, ours }: Texts): Refusal {
  return refusal(
    "merge-conflict",
    `edit ${edit.id} and later work changed the same lines: send the resolved text as content`,
    { editId: edit.id, base, theirs, ours },
  );
}
