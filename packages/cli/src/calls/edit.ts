import type { Answer, CommandOf, Plan } from "@palimpsest/core";
import { wholeNumber } from "../arguments.ts";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, sayRefused, UsageError } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";
import type { Calls } from "./calls.ts";

type Edit = CommandOf<"undo" | "redo" | "rewind">;

export interface EditOptions extends GlobalOptions {
  /** Say what would happen, and do nothing. */
  readonly plan?: boolean;
}

export interface UndoOptions extends EditOptions {
  readonly cascade?: boolean;
  readonly merge?: boolean;
}

export function addEditCalls({ add, finish }: Calls): void {
  add("undo", "take an edit back")
    .argument("<edit>", "id of the edit")
    .option("--cascade", "undo what was built on it first")
    .option("--merge", "keep what was made of it since, by a three-way merge")
    .option("--plan", "say what would happen, do nothing")
    .action((id: string, options) => finish((o) => undo(id, o), options));
  add("redo", "put an undone edit in force again")
    .argument("<edit>", "id of the edit")
    .option("--plan", "say what would happen, do nothing")
    .action((id: string, options) => finish((o) => redo(id, o), options));
  add("rewind", "make the window what it was after the event at a revision")
    .argument("<revision>", "an append boundary; 0 is the empty window", wholeNumber)
    .option("--abandon-open-calls", "also over calls without a result")
    .option("--plan", "say what would happen, do nothing")
    .action((to: number, options) => finish((o) => rewind(to, o), options));
}

function undo(editId: string, options: UndoOptions): Promise<number> {
  if (options.cascade && options.merge) {
    throw new UsageError("--cascade and --merge exclude each other");
  }
  const strategy = options.cascade ? "cascade" : options.merge ? "merge" : "revert";
  return edit({ command: "undo", editId, strategy }, options);
}

function redo(editId: string, options: EditOptions): Promise<number> {
  return edit({ command: "redo", editId }, options);
}

function rewind(
  to: number,
  options: EditOptions & { readonly abandonOpenCalls?: boolean },
): Promise<number> {
  return edit(
    { command: "rewind", to, abandonOpenCalls: options.abandonOpenCalls ?? false },
    options,
  );
}

function edit(command: Edit, options: EditOptions): Promise<number> {
  return withWindow(options, options.plan ? "look" : "change", async (window) => {
    if (options.plan) {
      const plan = await window.plan(command);
      await (options.json ? printJson(plan) : print(planText(plan)));
      return EXIT.done;
    }
    const answer = (await window.execute(command)) as Answer;
    if (options.json) await printJson(answer);
    else if (answer.outcome === "refused") sayRefused(answer.refusals);
    else await print(doneText(answer));
    return answer.outcome === "refused" ? EXIT.refused : EXIT.done;
  });
}

function planText(plan: Plan): string {
  if (plan.leave.length === 0 && plan.return.length === 0) return "nothing would change\n";
  const { before, after } = plan.tokens;
  return [
    `would undo or make, in this order: ${list(plan.order)}`,
    `out of view: ${list(plan.leave)}`,
    `into view:   ${list(plan.return)}`,
    ...(plan.collateral.length > 0 ? [`of these not asked for: ${list(plan.collateral)}`] : []),
    `tokens: ${before} → ${after}`,
    "",
  ].join("\n");
}

function doneText(answer: Exclude<Answer, { outcome: "refused" }>): string {
  if (answer.outcome === "nothing-to-do") return "nothing to do\n";
  const { editId, editIds, target } = answer.ids;
  const ids = editId ?? editIds ?? "";
  return [
    `done as ${list([ids].flat())}${target === undefined ? "" : ` (about ${target})`}, ` +
      `revision ${answer.revision}`,
    `out of view: ${list((answer.left ?? []) as string[])}`,
    `into view:   ${list((answer.returned ?? []) as string[])}`,
    `tokens: ${answer.tokens}${answer.overBudget ? ", over budget" : ""}`,
    "",
  ].join("\n");
}

function list(ids: readonly string[]): string {
  return ids.length === 0 ? "none" : safeLine(ids.join(" "), 200);
}
