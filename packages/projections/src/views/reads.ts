import type { LogReader, RecordedWindowEvent } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { LIVE, markOf, spanAt } from "@palimpsest/core/state";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions } from "../options.ts";
import { foldWindow } from "../window/fold.ts";
import { readings } from "../window/reading.ts";

export interface SpanReads {
  readonly spanId: string;
  /** How often it was marked as read: cited, recalled, or read again from the same source. */
  readonly reads: number;
  readonly live: boolean;
}

/** Which spans were read, the most read first; of equally read ones the earlier. */
export class Reads {
  readonly #state: WindowState;
  #spans: readonly SpanReads[] | undefined;

  constructor(state: WindowState) {
    this.#state = state;
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** Every span that was ever read. Made when it is read. */
  get spans(): readonly SpanReads[] {
    this.#spans ??= readsOf(this.#state);
    return this.#spans;
  }

  toJSON() {
    return { revision: this.revision, spans: this.spans };
  }
}

function readsOf(state: WindowState): SpanReads[] {
  return [...state.reads]
    .sort(([a, one], [b, other]) => other.count - one.count || a - b)
    .map(([index, { count }]) => ({
      spanId: spanAt(state, index).id,
      reads: count,
      live: markOf(state, index) === LIVE,
    }));
}

export function reads(
  log: LogReader,
  window: string,
  options: ProjectionOptions = defaultOptions,
): Observable<Reads> {
  return readings(log, window, options).pipe(map(({ state }) => new Reads(state)));
}

export function foldReads(
  events: readonly RecordedWindowEvent[],
  options?: ProjectionOptions,
): Reads {
  return new Reads(foldWindow(events, options).state);
}
