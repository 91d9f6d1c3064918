import type { CommandOf, Plan, Verb, Window } from "@palimpsest/core";
import { isRefused } from "@palimpsest/core";
import { safeText } from "../terminal/safe-text.ts";

export type Edit = CommandOf<"undo" | "redo" | "rewind">;

/** What a command would do, for a person. */
export async function planText(window: Window, command: Edit, plan: Plan): Promise<string> {
  const { order, leave, collateral, tokens } = plan;
  const [first] = order;
  if (first === undefined) return "nothing would change\n";
  // Undo and redo name the edits that they are about; a rewind or a merge names the one to be.
  const isNew = (await verbOf(window, first)) === undefined;
  const unasked = isNew ? [] : collateral;
  const inOrder = order.length > 1 ? ", in this order:" : "";
  return [
    isNew
      ? `would be edit ${first}, ${natureOf(command)}`
      : `would ${await verbFor(window, command)}${inOrder} ${listed(order, "edits")}`,
    `out of view: ${listed(leave, "spans")}`,
    `into view:   ${listed(plan.return, "spans")}`,
    ...(leave.length + plan.return.length === 0 ? [NO_SPAN] : []),
    ...(unasked.length > 0 ? [`among these, not asked for: ${listed(unasked, "spans")}`] : []),
    `tokens: ${tokens.before} → ${tokens.after}`,
    "",
  ].join("\n");
}

const NO_SPAN = "no span comes or goes: gaps, or the states of edits, change";

function natureOf(command: Edit): string {
  if (command.command === "rewind") return `a rewind to revision ${command.to}`;
  return `a merge that takes back ${command.editId}`;
}

/** To undo an undo is to redo, and the other way round. */
async function verbFor(window: Window, command: Edit): Promise<"undo" | "redo"> {
  const isUndo = command.command === "undo";
  const flips = "editId" in command && (await verbOf(window, command.editId)) === "undo";
  return isUndo === flips ? "redo" : "undo";
}

/** Undefined for an edit that was never made. */
async function verbOf(window: Window, editId: string): Promise<Verb | undefined> {
  try {
    return (await window.status(editId))[0]?.verb;
  } catch (error) {
    if (isRefused(error, "unknown-edit")) return undefined;
    throw error;
  }
}

const MAX_LIST = 160;

/** All ids, or as many as fit into a line and how many there are. */
export function listed(ids: readonly string[], what: string): string {
  if (ids.length === 0) return "none";
  const all = ids.join(" ");
  if (all.length <= MAX_LIST) return safeText(all);
  const fitting = all.slice(0, all.lastIndexOf(" ", MAX_LIST));
  return safeText(`${ids.length} ${what}: ${fitting} …`);
}

/** Why an edit cannot be undone as it is, and what there is instead; for a person. */
export async function staleText(
  window: Window,
  command: CommandOf<"undo">,
  blockers: readonly string[],
): Promise<string> {
  const problem = `edit ${command.editId} cannot be undone as it is`;
  const text = `refused (stale-edit): ${problem}: ${listed(blockers, "edits")} came after it\n`;
  const cascade = await wayText(window, { ...command, strategy: "cascade" });
  return text + cascade + (await wayText(window, { ...command, strategy: "merge" }));
}

/** What a strategy would do; nothing for a merge of what is not made for one. */
async function wayText(window: Window, command: CommandOf<"undo">): Promise<string> {
  const head = `with --${command.strategy}: `;
  try {
    return `${head}${await planText(window, command, await window.plan(command))}`;
  } catch (error) {
    if (!isRefused(error)) throw error;
    if (error.code === "not-mergeable") return "";
    return error.refusals
      .map(({ code, message }) => `${head}refused (${code}): ${message}\n`)
      .join("");
  }
}
