import type { LiveWindow } from "@palimpsest/projections";
import { liveWindow, paced } from "@palimpsest/projections";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, say } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";
import { withKnownErrors } from "./projection-errors.ts";

/** Clears the screen and goes to its upper left corner. */
const CLEAR = "\u001b[2J\u001b[3J\u001b[H";

/**
 * The window as it changes, until a signal or the reader ends it. On a terminal the latest state is
 * drawn over the last one; elsewhere every state is printed, as JSON one on a line.
 */
export function followWindow(options: GlobalOptions): Promise<number> {
  const redraws = process.stdout.isTTY && !options.json;
  return withWindow(options, "look", (window, log) => {
    const windows = liveWindow(log, window.id);
    const showing = new Promise<number>((resolve, reject) => {
      const shown = windows.pipe(
        // Work that is done at once is given every state; drawing is waited for.
        paced<unknown>((state) => (redraws ? draw(state) : [printState(state, options.json)])),
      );
      const following = shown.subscribe({
        error: reject,
        complete: () => resolve(EXIT.done),
      });
      const end = (): void => {
        following.unsubscribe();
        resolve(EXIT.done);
      };
      for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, end);
    });
    return withKnownErrors(showing);
  });
}

async function draw(state: LiveWindow): Promise<void> {
  if (isOpen(state)) await print(CLEAR + liveText(state));
}

/** Writes to a pipe or a file are in order, so nobody has to wait for one before the next. */
async function printState(state: LiveWindow, json = false): Promise<void> {
  if (isOpen(state)) await (json ? printJson(state.view) : print(liveText(state)));
}

function isOpen({ revision, window }: LiveWindow): boolean {
  if (revision < 0) say(`waiting for window ${window} to be opened`);
  return revision >= 0;
}

function liveText(state: LiveWindow): string {
  return `${safeText(state.rendered)}── ${headline(state)}\n`;
}

function headline(state: LiveWindow): string {
  const { window, revision, tokens, budget, overBudget, changes, spans } = state;
  const limit = budget === null ? "" : ` of ${budget}${overBudget ? ", over budget" : ""}`;
  const { entered, left, returned } = changes;
  return (
    `window ${window} at revision ${revision}: ${spans.length} live spans, ${tokens} tokens${limit}` +
    `; ${entered.length} entered, ${left.length} left, ${returned.length} came back`
  );
}
