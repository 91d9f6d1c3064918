import type { LogReader, RecordedWindowEvent, StoredEvent } from "@palimpsest/core";
import { upcast, windowStream } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { evolveAll, initialState } from "@palimpsest/core/state";
import type { Observable } from "rxjs";
import { ColumnSpans } from "../columns/index.ts";
import { folded } from "../feed/folded.ts";
import type { Reducer } from "../feed/reducer.ts";
import { shared } from "../feed/shared.ts";
import type { ProjectionOptions } from "../options.ts";
import type { Contents } from "./contents.ts";
import { completeContents, followContents, noContents } from "./contents.ts";
import type { PolicyList } from "./policies.ts";
import { followPolicies } from "./policies.ts";

/** What is folded of a window, without its content. A value. */
export interface Folded {
  readonly state: WindowState;
  readonly policies: PolicyList;
}

/** A window at one revision, which every projection is read off. A value. */
export interface Reading extends Folded {
  readonly contents: Contents;
}

/** A window before its first event, whose spans will be kept in columns. */
export function unfolded(window: string): Folded {
  const state = { ...initialState(window), spans: new ColumnSpans() };
  return { state, policies: [] };
}

export function foldOn(folded: Folded, events: readonly RecordedWindowEvent[]): Folded {
  return {
    state: withoutCommands(evolveAll(folded.state, events)),
    policies: followPolicies(folded.policies, events),
  };
}

/**
 * The state without its memory of commands, which serves deciding alone: an entry of some hundred
 * bytes for every append there ever was.
 */
function withoutCommands(state: WindowState): WindowState {
  return state.commands.isEmpty() ? state : { ...state, commands: state.commands.clear() };
}

/** The fold of a window's stream. */
export function windowReducer(window: string): Reducer<Reading> {
  return {
    // Made anew for each run, so that nothing of a run is held once it has ended.
    get initial() {
      return { ...unfolded(window), contents: noContents };
    },
    fold(before: Reading, stored: readonly StoredEvent[]) {
      const events = stored.map(upcast);
      const after = foldOn(before, events);
      const contents = followContents(before.contents, events, before.state, after.state);
      return { ...after, contents };
    },
    complete(reading, log) {
      if (reading.contents.missing.isEmpty()) return undefined;
      const complete = completeContents(reading.contents, reading.state, log);
      return complete.then((contents) => ({ ...reading, contents }));
    },
  };
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
