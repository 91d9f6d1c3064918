import type { ContentRef } from "../state/content.ts";
import { contentRef } from "../state/content.ts";
import { cascadeOf, editAt, LIVE } from "../state/marks.ts";
import type { Span, WindowState } from "../state/state.ts";
import { findEdit, findSpan, spanAt } from "../state/state.ts";
import { recordedSpans } from "../view/status.ts";
import { mergedSpans } from "./merge.ts";
import type { DecidedCommand, Step } from "./step.ts";
import { MAX_CASCADE } from "./undo.ts";

/**
 * The stored content that the commands of an append name, as far as it was there before: to be read
 * at once. A decision stops at the first content that it lacks, and begins anew once it has it.
 */
export function namedContent(state: WindowState, steps: readonly Step[]): ContentRef[] {
  const named = new Set<Span>();
  // A command by itself asks for all it needs at once, and for nothing else.
  if (steps.length > 1) {
    const undoesOwn = steps.some(({ command }) => isOfEdit(command) && !isOfOld(state, command));
    for (const { command } of steps) {
      for (const span of readBy(state, command, undoesOwn)) named.add(span);
    }
  }
  return [...named].map((span) => contentRef(state, span));
}

type OfEdit = Extract<DecidedCommand, { command: "undo" | "redo" }>;

function isOfEdit(command: DecidedCommand): command is OfEdit {
  return command.command === "undo" || command.command === "redo";
}

function isOfOld(state: WindowState, { editId }: OfEdit): boolean {
  return findEdit(state, editId) !== undefined;
}

/** `undoesOwn`: what an edit of this append takes may be brought back in it. */
function readBy(state: WindowState, command: DecidedCommand, undoesOwn: boolean): Span[] {
  switch (command.command) {
    case "assertClaim":
      return found(state, groundsOf(command));
    case "recall":
      return found(state, [command.spanId]);
    case "undo":
    case "redo":
      return returnedBy(state, command);
    case "rewrite":
    case "evict":
      return undoesOwn ? found(state, command.consumes) : [];
    default:
      return [];
  }
}

interface Grounds {
  readonly carrier?: string | undefined;
  readonly because?: readonly object[] | undefined;
}

function groundsOf({ carrier, because = [] }: Grounds): string[] {
  const cited = because.flatMap((ref) => ("span" in ref ? [String(ref.span)] : []));
  return carrier === undefined ? cited : [carrier, ...cited];
}

function found(state: WindowState, ids: Iterable<string>): Span[] {
  return [...ids].flatMap((id) => findSpan(state, id) ?? []);
}

/** What an undo or redo proves before it brings it back, or merges. */
function returnedBy(state: WindowState, command: OfEdit): Span[] {
  const named = findEdit(state, command.editId);
  if (named === undefined) return [];
  const edit = named.target === undefined ? named : editAt(state, named.target);
  // Undoing an undo is a redo.
  if ((command.command === "redo") !== (named.verb === "undo")) {
    return edit.writes
      .filter(({ before, after }) => before !== LIVE && after === LIVE)
      .map(({ span }) => spanAt(state, span));
  }
  const strategy = command.command === "undo" ? command.strategy : "revert";
  if (strategy === "merge") return mergedSpans(state, edit);
  if (strategy !== "cascade") return recordedSpans(state, edit);
  const chain = cascadeOf(state, edit);
  return chain.length > MAX_CASCADE ? [] : chain.flatMap((one) => recordedSpans(state, one));
}
