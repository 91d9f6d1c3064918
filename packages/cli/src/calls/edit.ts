import type { Answer, Window } from "@palimpsest/core";
import { CommandRefusedError, isRefused } from "@palimpsest/core";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, say, UsageError } from "../terminal/output.ts";
import type { Edit } from "./plan-text.ts";
import { listed, planText, staleText } from "./plan-text.ts";

export interface EditOptions extends GlobalOptions {
  /** Say what would happen, and do nothing. */
  readonly plan?: boolean;
}

export interface RewindOptions extends EditOptions {
  /** Calls without a result are no hindrance. */
  readonly abandonOpenCalls?: boolean;
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

export function rewind(to: number, options: RewindOptions): Promise<number> {
  return edit(
    { command: "rewind", to, abandonOpenCalls: options.abandonOpenCalls ?? false },
    options,
  );
}

function edit(command: Edit, options: EditOptions): Promise<number> {
  return withWindow(options, options.plan ? "look" : "change", async (window) => {
    try {
      await (options.plan ? plan(window, command, options) : execute(window, command, options));
      return EXIT.done;
    } catch (error) {
      if (options.json || command.command !== "undo" || !isRefused(error, "stale-edit"))
        throw error;
      const blockers = error.refusals[0]?.blockers;
      say((await staleText(window, command, blockers ?? [])).trimEnd());
      return EXIT.refused;
    }
  });
}

async function plan(window: Window, command: Edit, { json }: EditOptions): Promise<void> {
  const planned = await window.plan(command);
  await (json ? printJson(planned) : print(await planText(window, command, planned)));
}

async function execute(window: Window, command: Edit, { json }: EditOptions): Promise<void> {
  const answer = await window.execute(command);
  if (answer.outcome === "refused") throw new CommandRefusedError(answer.refusals);
  await (json ? printJson(answer) : print(doneText(answer)));
}

function doneText(answer: Exclude<Answer, { outcome: "refused" }>): string {
  if (answer.outcome === "nothing-to-do") return "nothing to do\n";
  const { editId, editIds, target } = answer.ids;
  const ids = editId ?? editIds ?? "";
  return [
    `done as ${listed([ids].flat(), "edits")}${target === undefined ? "" : ` (about ${target})`}, ` +
      `revision ${answer.revision}`,
    `out of view: ${listed(answer.left ?? [], "spans")}`,
    `into view:   ${listed(answer.returned ?? [], "spans")}`,
    `tokens: ${answer.tokens}${answer.overBudget ? ", over budget" : ""}`,
    "",
  ].join("\n");
}
