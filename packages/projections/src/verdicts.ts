import type { LogReader, StoredEvent } from "@palimpsest/core";
import { verdictStream } from "@palimpsest/core";
import { coverageOf, probeOf } from "@palimpsest/core/host";
import type { Observable } from "rxjs";
import { folded } from "./feed/folded.ts";
import type { Reducer } from "./feed/reducer.ts";
import { shared } from "./feed/shared.ts";
import type { ProjectionOptions } from "./options.ts";

/** What the verifier said of a window, as far as projections show it. A value. */
export interface Verdicts {
  /**
   * Number of events that the last verdict that holds covers; 0 when there is none, or when a later
   * one says `violated`.
   */
  readonly covered: number;
  /** The last probe of an edit, by its id, unless a verdict that holds came after it. */
  readonly probes: ReadonlyMap<string, "proven" | "lost">;
}

/**
 * The fold of a verdict stream. It believes the fields that it knows and ignores everything else:
 * the stream belongs to the verifier, and an event of a later version must not end a window. It
 * believes bad news of any version, and good news only of a version that it understands.
 */
export const verdictReducer: Reducer<Verdicts> = {
  initial: { covered: 0, probes: new Map() },
  fold: (verdicts, events) => events.reduce(foldOne, verdicts),
};

function foldOne(verdicts: Verdicts, event: StoredEvent): Verdicts {
  const covered = coverageOf(event);
  if (covered === 0) return { ...verdicts, covered };
  if (covered !== undefined) return { covered, probes: new Map() };
  const probe = probeOf(event);
  if (probe === undefined) return verdicts;
  return { ...verdicts, probes: new Map(verdicts.probes).set(probe.editId, probe.outcome) };
}

/** The verdicts on a window, as they are issued. */
export function verdictsOf(
  log: LogReader,
  window: string,
  options: ProjectionOptions,
): Observable<Verdicts> {
  return shared(log, options, `verdicts ${window}`, () =>
    folded(log, verdictStream(window), verdictReducer, options.resume),
  );
}
