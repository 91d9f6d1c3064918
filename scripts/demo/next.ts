import type { EventLog, Window } from "@palimpsest/core";
import { isRefused } from "@palimpsest/core";
import { replay } from "@palimpsest/core/host";
import { halfWay } from "./choose.ts";

/**
 * Calls of the command line that this window takes as they stand and in this order; `imported` is
 * the last revision of the import.
 */
export async function nextCalls(
  window: Window,
  log: EventLog,
  imported: number,
): Promise<string[]> {
  const calls = ["show", "status", "history", "verify"];
  const revision = await halfWay(window, await replay(log, window.id), imported);
  if (revision !== undefined) calls.push(`rewind ${revision} --plan`);
  const edit = await undoable(window);
  if (edit !== undefined) calls.push(`undo ${edit} --plan`, `undo ${edit}`);
  return calls;
}

/** The latest edit that a plain undo takes back as things stand. */
async function undoable(window: Window): Promise<string | undefined> {
  for (const { editId, effect } of (await window.status()).reverse()) {
    if (effect === "applied" && (await isUndoable(window, editId))) return editId;
  }
  return undefined;
}

async function isUndoable(window: Window, editId: string): Promise<boolean> {
  try {
    await window.plan({ command: "undo", editId });
    return true;
  } catch (error) {
    if (!isRefused(error)) throw error;
    return false;
  }
}
