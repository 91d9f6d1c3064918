import { windowStream } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { upcast } from "../events/upcast.ts";
import { LogError } from "../log/errors.ts";
import type { LogReader } from "../log/port.ts";
import { evolveAll } from "../state/evolve.ts";
import type { WindowState } from "../state/state.ts";
import { initialState } from "../state/state.ts";

/** Called for every page that was folded, with the states before and after it. */
export type OnPage = (
  events: readonly RecordedWindowEvent[],
  before: WindowState,
  after: WindowState,
) => void;

/**
 * Folds the window's events after `state.revision`, up to `to` or the head. Throws
 * `EventNotUnderstoodError` at an event that this version cannot fold: a window is never shown
 * with a hole in its history.
 */
export async function catchUp(
  log: LogReader,
  state: WindowState,
  onPage?: OnPage,
  to?: number,
): Promise<WindowState> {
  let current = state;
  const range = { from: state.revision + 1, ...(to !== undefined && { to }) };
  for await (const page of log.read(windowStream(state.window), range)) {
    const events = page.map(upcast);
    const hole = events.find(({ revision }, i) => revision !== current.revision + 1 + i);
    if (hole !== undefined) {
      throw new LogError(
        "store-damaged",
        `the store of window ${state.window} jumps to revision ${hole.revision}: events are missing`,
      );
    }
    const next = evolveAll(current, events);
    onPage?.(events, current, next);
    current = next;
  }
  return current;
}

/** The state of a window at its head, or at revision `to`. */
export function replay(
  log: LogReader,
  window: string,
  options: { readonly to?: number; readonly onPage?: OnPage } = {},
): Promise<WindowState> {
  return catchUp(log, initialState(window), options.onPage, options.to);
}
