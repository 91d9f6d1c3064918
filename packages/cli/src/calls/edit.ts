import type { Answer, CommandOf, Plan } from "@palimpsest/core";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, sayRefused, UsageError } from "../terminal/output.ts";
import { safeLine } from "../terminal/safe.ts";

type Edit = CommandOf<"undo" | "redo" | "rewind">;

export interface EditOptions extends GlobalOptions {
  /** Say what would happen, and do nothing. */
  readonly plan?: boolean;
}

export interface UndoOptions extends EditOptions {
  readonly cascade?: boolean;
  readonly merge?: boolean;
}

export function undo(editId: string, options: UndoOptions): Promise<number> {
  if (options.cascade && options.merge) {
    throw new UsageError("--cascade and --merge exclude each other");
  }
  const strategy = options.cascade ? "cascade" : options.merge ? "merge" : "revert";
  return edit({ command: "undo", editId, strategy }, options);
}

export function redo(editId: string, options: EditOptions): Promise<number> {
  return edit({ command: "redo", editId }, options);
}

export function rewind(
  to: number,
  options: EditOptions & { readonly abandonOpenCalls?: boolean },
): Promise<number> {
  return edit(
    { command: "rewind", to, abandonOpenCalls: options.abandonOpenCalls ?? false },
    options,
  );
}

function edit(command: Edit, options: EditOptions): Promise<number> {
  return withWindow(options, "look", async (window) => {
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

export function planText(plan: Plan): string {
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

export function doneText(answer: Exclude<Answer, { outcome: "refused" }>): string {
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
