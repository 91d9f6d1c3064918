import type { LogReader, PolicyStatus, RecordedWindowEvent } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions } from "../options.ts";
import { foldReading } from "../window/fold.ts";
import type { Folded } from "../window/reading.ts";
import { readings } from "../window/reading.ts";

/** How the policy of a window came to be what it is: every text, and its diff to the one before. */
export class PolicyHistory {
  readonly revision: number;
  /** The present epoch. */
  readonly epoch: number;
  /** In the order they were authored, each with its diff and the epochs that ran on it. */
  readonly policies: readonly PolicyStatus[];

  constructor({ state, policies }: Folded) {
    this.revision = state.revision;
    this.epoch = state.epoch;
    this.policies = policies;
  }

  /** The policy that the present epoch runs on. */
  get active(): PolicyStatus | undefined {
    return this.policies.find(({ active }) => active);
  }
}

/** The policies after every append. */
export function policyHistory(
  log: LogReader,
  window: string,
  options: ProjectionOptions = defaultOptions,
): Observable<PolicyHistory> {
  return readings(log, window, options).pipe(map((reading) => new PolicyHistory(reading)));
}

export function foldPolicyHistory(events: readonly RecordedWindowEvent[]): PolicyHistory {
  return new PolicyHistory(foldReading(events));
}
