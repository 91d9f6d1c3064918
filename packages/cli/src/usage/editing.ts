import { wholeNumber } from "../arguments.ts";
import type { Calls } from "../calls/calls.ts";
import type { EditOptions, RewindOptions, UndoOptions } from "../calls/edit.ts";
import type { ReviewOptions } from "../calls/review.ts";

const PLAN = "say what would happen, and do nothing";

/** The calls that change what is in view. */
export function addEditingCalls({ add, finish }: Calls): void {
  add("undo", "take an edit back")
    .argument("<edit>", "id of the edit")
    .option("--cascade", "undo the edits that were built on it first")
    .option("--merge", "keep what was made of it since, by a three-way merge")
    .option("--plan", PLAN)
    .action((id: string, options: UndoOptions) =>
      finish(async (o) => (await import("../calls/edit.ts")).undo(id, o), options),
    );
  add("redo", "put an undone edit in force again")
    .argument("<edit>", "id of the edit")
    .option("--plan", PLAN)
    .action((id: string, options: EditOptions) =>
      finish(async (o) => (await import("../calls/edit.ts")).redo(id, o), options),
    );
  add("rewind", "make the window what it was after the event at a revision")
    .argument("<revision>", "an append boundary; 0 is the empty window", wholeNumber)
    .option("--abandon-open-calls", "rewind over calls without a result too")
    .option("--plan", PLAN)
    .action((to: number, options: RewindOptions) =>
      finish(async (o) => (await import("../calls/edit.ts")).rewind(to, o), options),
    );
  add("review", "look at a proposal, then commit or refuse it in your name (--as human/NAME)")
    .argument("<proposal>", "id of the proposal")
    .option("--commit", "commit it without asking")
    .option("--refuse", "refuse it without asking")
    .option("--reason <text>", "why it is refused")
    .option("--on-evidence <what>", "carry (default) or refuse")
    .action((id: string, options: ReviewOptions) =>
      finish(async (o) => (await import("../calls/review.ts")).review(id, o), options),
    );
}
