import type { ClaimStatus, LogReader, RecordedWindowEvent } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { claimsOf } from "@palimpsest/core/view";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions } from "../options.ts";
import { foldWindow } from "../window/fold.ts";
import { readings } from "../window/reading.ts";

/** Two claims in open conflict, by id; the one asserted first comes first. */
export type Conflict = readonly [string, string];

/**
 * Every claim with its standing. Derived from the stream alone: a projection does not notice that
 * the store lost the content of a ground; a probe does (`window.claims`).
 */
export class Claims {
  readonly #state: WindowState;
  #claims: readonly ClaimStatus[] | undefined;

  constructor(state: WindowState) {
    this.#state = state;
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** In order of first assertion, withdrawn and retracted ones included. Made when it is read. */
  get claims(): readonly ClaimStatus[] {
    this.#claims ??= claimsOf(this.#state);
    return this.#claims;
  }

  /** The open conflicts, each once. */
  get conflicts(): readonly Conflict[] {
    const place = new Map(this.claims.map(({ claimId }, index) => [claimId, index]));
    return this.claims.flatMap(({ claimId, conflicts }, index) =>
      conflicts
        .filter((other) => index < (place.get(other) ?? -1))
        .map((other) => [claimId, other] as const),
    );
  }

  toJSON() {
    const { revision, claims, conflicts } = this;
    return { revision, claims, conflicts };
  }
}

/** The claims after every append. */
export function claims(
  log: LogReader,
  window: string,
  options: ProjectionOptions = defaultOptions,
): Observable<Claims> {
  return readings(log, window, options).pipe(map(({ state }) => new Claims(state)));
}

export function foldClaims(
  events: readonly RecordedWindowEvent[],
  options?: ProjectionOptions,
): Claims {
  return new Claims(foldWindow(events, options).state);
}
