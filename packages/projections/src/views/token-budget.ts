import type { LogReader, RecordedWindowEvent, WindowState } from "@palimpsest/core";
import { LIVE } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { foldWindow } from "../window/fold.ts";
import { liveWindow } from "../window/live.ts";
import type { LiveWindow } from "../window/live-window.ts";

/** What the live spans cost after one append. */
export interface BudgetPoint {
  /** Revision of the last event of the append. */
  readonly revision: number;
  /**
   * Tokens of the live spans. The ledger's share is left out: it is known of the present, and of a
   * past revision by going there.
   */
  readonly spanTokens: number;
}

/** What a window costs against its budget, now and over time. */
export class TokenBudget {
  readonly #window: LiveWindow;
  #series: readonly BudgetPoint[] | undefined;

  constructor(window: LiveWindow) {
    this.#window = window;
  }

  get revision(): number {
    return this.#window.revision;
  }

  /** Tokens of the live spans and of the ledger's claim lines. */
  get tokens(): number {
    return this.#window.tokens;
  }

  /** Null: the window has no budget. */
  get budget(): number | null {
    return this.#window.budget;
  }

  get overBudget(): boolean {
    return this.#window.overBudget;
  }

  /** A point for every append, the first one included. Made when it is read. */
  get series(): readonly BudgetPoint[] {
    this.#series ??= seriesOf(this.#window.state);
    return this.#series;
  }

  toJSON() {
    const { revision, tokens, budget, overBudget, series } = this;
    return { revision, tokens, budget, overBudget, series };
  }
}

/** Every change of the tokens is in the state: a span's birth, and the marks an edit wrote. */
function seriesOf(state: WindowState): BudgetPoint[] {
  const changes = new Map<number, number>();
  const add = (revision: number, tokens: number): void => {
    changes.set(revision, (changes.get(revision) ?? 0) + tokens);
  };
  for (const { revision, tokens, createdBy } of state.spans) {
    // What a rewrite creates enters by the edit's own writes.
    if (createdBy === undefined) add(revision, tokens);
  }
  for (const { revision, writes } of state.edits) {
    for (const { span, before, after } of writes) {
      const enters = Number(after === LIVE) - Number(before === LIVE);
      if (enters !== 0) add(revision, enters * (state.spans.get(span)?.tokens ?? 0));
    }
  }
  const points: BudgetPoint[] = [];
  let [spanTokens, next] = [0, 0];
  for (const revision of state.boundaries) {
    for (; next <= revision; next += 1) spanTokens += changes.get(next) ?? 0;
    points.push({ revision, spanTokens });
  }
  return points;
}

export function tokenBudget(
  log: LogReader,
  window: string,
  options?: ProjectionOptions,
): Observable<TokenBudget> {
  return liveWindow(log, window, options).pipe(map((live) => new TokenBudget(live)));
}

export function foldTokenBudget(
  events: readonly RecordedWindowEvent[],
  options?: ProjectionOptions,
): TokenBudget {
  return new TokenBudget(foldWindow(events, options));
}
