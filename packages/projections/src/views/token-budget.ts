import type { LogReader, RecordedWindowEvent, Tokenizer } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { LIVE } from "@palimpsest/core/state";
import type { WindowTokens } from "@palimpsest/core/view";
import { windowTokens } from "@palimpsest/core/view";
import type { Observable } from "rxjs";
import { map } from "rxjs";
import type { ProjectionOptions } from "../options.ts";
import { defaultOptions, tokenizerOf } from "../options.ts";
import { foldWindow } from "../window/fold.ts";
import { readings } from "../window/reading.ts";

/** What the live spans cost after one append. */
export interface BudgetPoint {
  /** Revision of the last event of the append. */
  readonly revision: number;
  /**
   * Tokens of the live spans, without the ledger: its share is known at present, and at a past
   * revision only by going there.
   */
  readonly spanTokens: number;
}

/** What a window costs against its budget, now and over time. */
export class TokenBudget {
  readonly #state: WindowState;
  readonly #tokenizer: Tokenizer;
  #total: WindowTokens | undefined;
  #series: readonly BudgetPoint[] | undefined;

  constructor(state: WindowState, tokenizer: Tokenizer) {
    this.#state = state;
    this.#tokenizer = tokenizer;
  }

  get revision(): number {
    return this.#state.revision;
  }

  /** Tokens of the live spans and of the ledger's claim lines. */
  get tokens(): number {
    return this.#windowTokens.tokens;
  }

  /** Null: the window has no budget. */
  get budget(): number | null {
    return this.#state.budget ?? null;
  }

  get overBudget(): boolean {
    return this.#windowTokens.overBudget;
  }

  /** A point for every append, the first one included. Made when it is read. */
  get series(): readonly BudgetPoint[] {
    this.#series ??= seriesOf(this.#state);
    return this.#series;
  }

  toJSON() {
    const { revision, tokens, budget, overBudget, series } = this;
    return { revision, tokens, budget, overBudget, series };
  }

  get #windowTokens(): WindowTokens {
    this.#total ??= windowTokens(this.#state, this.#tokenizer);
    return this.#total;
  }
}

/** Every change of the tokens is in the state: a span's birth, and the marks an edit wrote. */
function seriesOf(state: WindowState): BudgetPoint[] {
  const changes = new Map<number, number>();
  const add = (revision: number, tokens: number): void => {
    changes.set(revision, (changes.get(revision) ?? 0) + tokens);
  };
  for (const { revision, tokens, createdBy } of state.spans) {
    // The product of a rewrite enters through the writes of the edit.
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

/** What the window costs after every append. A tokenizer that was not passed is a TypeError. */
export function tokenBudget(
  log: LogReader,
  window: string,
  options: ProjectionOptions = defaultOptions,
): Observable<TokenBudget> {
  return readings(log, window, options).pipe(
    map(({ state }) => new TokenBudget(state, tokenizerOf(state, options))),
  );
}

export function foldTokenBudget(
  events: readonly RecordedWindowEvent[],
  options: ProjectionOptions = defaultOptions,
): TokenBudget {
  const { state } = foldWindow(events, options);
  return new TokenBudget(state, tokenizerOf(state, options));
}
