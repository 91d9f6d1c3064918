import type { LogReader, StoredEvent, WindowState } from "@palimpsest/core";
import { evolveAll, initialState, upcast, windowStream } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { folded } from "../feed/folded.ts";
import type { Reducer } from "../feed/reducer.ts";
import { shared } from "../feed/shared.ts";
import type { ProjectionOptions } from "../options.ts";
import type { Contents } from "./contents.ts";
import { completeContents, followContents, noContents } from "./contents.ts";

/** A window at one revision: what every projection is read off. A value. */
export interface Reading {
  readonly state: WindowState;
  readonly contents: Contents;
}

/** The fold of a window's stream. */
export function windowReducer(window: string): Reducer<Reading> {
  return {
    initial: { state: initialState(window), contents: noContents },
    fold({ state, contents }: Reading, stored: readonly StoredEvent[]) {
      const events = stored.map(upcast);
      const after = withoutCommands(evolveAll(state, events));
      return { state: after, contents: followContents(contents, events, state, after) };
    },
    complete({ state, contents }, log) {
      if (contents.missing.isEmpty()) return undefined;
      return completeContents(contents, state, log).then((complete) => ({
        state,
        contents: complete,
      }));
    },
  };
}

/**
 * The state without its memory of commands, which serves deciding alone: an entry of some hundred
 * bytes for every append there ever was.
 */
export function withoutCommands(state: WindowState): WindowState {
  return state.commands.isEmpty() ? state : { ...state, commands: state.commands.clear() };
}

/** One fold for each window of a log, whatever is projected from it and however often. */
export function readings(
  log: LogReader,
  window: string,
  options: ProjectionOptions,
): Observable<Reading> {
  return shared(log, options, `window ${window}`, () =>
    folded(log, windowStream(window), windowReducer(window), options.resume),
  );
}
