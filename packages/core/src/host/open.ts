import type { EventLog } from "../log/port.ts";
import { refusedError } from "./errors.ts";
import type { WindowOptions } from "./runner.ts";
import { Window } from "./window.ts";

/** Options of a window, and how to open one that is not open yet. */
export interface OpenOptions extends WindowOptions {
  /** Budget of a window that is opened by this call; it refuses nothing, it is shown. */
  readonly budgetTokens?: number;
  /** Name of the tokenizer of a window that is opened by this call. */
  readonly tokenizer?: string;
}

/**
 * Opens a window of the log, or attaches to it when it is open already. Throws as the constructor
 * of `Window` does, and `CommandRefusedError` for a tokenizer that is not known.
 */
export async function openWindow(
  log: EventLog,
  id: string,
  { budgetTokens, tokenizer, ...options }: OpenOptions = {},
): Promise<Window> {
  const window = new Window(log, id, options);
  const answer = await window.execute({ command: "openWindow", budgetTokens, tokenizer });
  const refusals = answer.outcome === "refused" ? answer.refusals : [];
  if (refusals.some(({ code }) => code !== "window-exists")) throw refusedError(refusals);
  return window;
}
