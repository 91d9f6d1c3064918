import type { LogReader } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { combineLatest, defer, map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions, tokenizerOf } from "../options.ts";
import { verdictsOf } from "../verdicts.ts";
import { LiveWindow } from "./live-window.ts";
import { readings } from "./reading.ts";

/**
 * The live window: once everything stored was folded, then once for every append (and every
 * verdict on the window). No subscriber sees half an append. The `changes` of each value count from
 * the value that this subscriber was given before; those of the first one count from nothing.
 *
 * All subscribers of a log, and all other projections of the window, share one fold; a late
 * subscriber gets the present window at once. One that needs time goes through `paced`. How
 * connections are resumed, and what errors there are: see `folded`. It also ends with a TypeError
 * when the window counts with a tokenizer that `options` does not have.
 */
export function liveWindow(
  log: LogReader,
  window: string,
  options: ProjectionOptions = defaultOptions,
): Observable<LiveWindow> {
  return defer(() => {
    let last: LiveWindow | undefined;
    const both = combineLatest([readings(log, window, options), verdictsOf(log, window, options)]);
    return both.pipe(
      map(([reading, { covered }]) => {
        last = new LiveWindow({
          reading,
          tokenizer: tokenizerOf(reading.state, options),
          verified: covered === 0 ? null : covered - 1,
          before: last?.state,
        });
        return last;
      }),
    );
  });
}
