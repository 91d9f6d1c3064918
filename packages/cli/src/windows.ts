import type { LogReader } from "@palimpsest/core";
import { CommandRefusedError, isRefused, WINDOW_STREAM_PREFIX } from "@palimpsest/core";

/** Most windows that are named to somebody who asked for one that there is not. */
const MOST = 20;
/** A store may be large, and nobody asked for all of it. */
const LOOKING_MS = 2_000;

/** The ids of the windows that began first in the store; whether these are all of them. */
async function firstWindows(log: LogReader): Promise<{ ids: string[]; areAll: boolean }> {
  const ids = new Set<string>();
  const end = performance.now() + LOOKING_MS;
  let areAll = false;
  for await (const message of log.subscribe({ prefix: WINDOW_STREAM_PREFIX })) {
    areAll = message.kind === "caught-up";
    if (message.kind === "caught-up") break;
    for (const { stream } of message.events) ids.add(stream.slice(WINDOW_STREAM_PREFIX.length));
    if (ids.size > MOST || performance.now() > end) break;
  }
  return { ids: [...ids].slice(0, MOST), areAll };
}

/** Which windows there are, for somebody who named another one. */
async function otherWindows(log: LogReader): Promise<{ text: string; ids: string[] }> {
  const { ids, areAll } = await firstWindows(log);
  const text =
    ids.length === 0
      ? "this store has no window yet: open one with palimpsest run or import"
      : `this store has ${ids.join(" ")}${areAll ? "" : " and more"}: name one with --window`;
  return { text, ids };
}

/** A refusal because the window is not open, with those that are; any other error as it is. */
export async function withWindowsNamed(error: unknown, log: LogReader, window: string) {
  return isRefused(error, "window-not-open") ? windowNotOpen(log, window) : error;
}

/** The refusal of a window that is not open, with those that are. */
export async function windowNotOpen(log: LogReader, window: string): Promise<CommandRefusedError> {
  const { text, ids: windows } = await otherWindows(log);
  const message = `window ${window} is not open; ${text}`;
  return new CommandRefusedError([{ code: "window-not-open", message, windows }]);
}
