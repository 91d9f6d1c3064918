import type { LogReader, StoredEvent } from "@palimpsest/core";
import { MissingHistoryError, ProjectionError } from "./errors.ts";

/** A fold of one stream. States are values: one that was handed out never changes. */
export interface Reducer<State> {
  readonly initial: State;
  /** The state after `events`, which follow those folded before without a gap. Pure. */
  fold(state: State, events: readonly StoredEvent[]): State;
  /**
   * Fetches what has to be there before a state is shown; undefined: nothing is missing. May
   * reject as the log does; the connection is then made again.
   */
  complete?(state: State, log: LogReader): Promise<State> | undefined;
}

/**
 * Folds events that follow revision `after`. Throws `MissingHistoryError` for a gap, and
 * `ProjectionError`, which names the event, for whatever the reducer throws.
 */
export function foldNext<State>(
  reducer: Reducer<State>,
  state: State,
  events: readonly StoredEvent[],
  after: number,
): State {
  events.forEach((event, index) => {
    const expected = after + 1 + index;
    if (event.revision !== expected) {
      throw new MissingHistoryError(event.stream, expected, event.revision);
    }
  });
  try {
    return reducer.fold(state, events);
  } catch (error) {
    throw new ProjectionError(culpritOf(reducer, state, events), error);
  }
}

/** The first event that the reducer cannot fold, found by going one by one. */
function culpritOf<State>(
  reducer: Reducer<State>,
  state: State,
  events: readonly StoredEvent[],
): StoredEvent {
  let current = state;
  for (const event of events) {
    try {
      current = reducer.fold(current, [event]);
    } catch {
      return event;
    }
  }
  // The fold fails only on all of them together, so the last one made it impossible.
  return events.at(-1) as StoredEvent;
}
