import type { Json } from "../json/json.ts";
import type { Refusal } from "./refusals.ts";

/** Ids of what a command made or acted on: `spanId`, or `spanIds` when there are several. */
export type AnswerIds = Readonly<Record<string, string | readonly string[]>>;

/** The command is in the log. The same commandId gets the same answer for ever. */
export interface Accepted {
  readonly outcome: "accepted";
  /** Revision of the last event of the append. */
  readonly revision: number;
  /** Types of the events appended, in order. */
  readonly events: readonly string[];
  readonly ids: AnswerIds;
  /** Tokens of the window after the command. */
  readonly tokens: number;
  /** Present and true when `tokens` is above the window's budget. */
  readonly overBudget?: true;
  readonly [detail: string]: Json | undefined;
}

/** Nothing was changed, and why. */
export interface Refused {
  readonly outcome: "refused";
  readonly refusals: readonly Refusal[];
  /** A refused settlement is in the log: its revision, its events, its ids. */
  readonly revision?: number;
  readonly events?: readonly string[];
  readonly ids?: AnswerIds;
}

/** The command would have changed nothing; no event, no ordinal. */
export interface NothingToDo {
  readonly outcome: "nothing-to-do";
}

export type Answer = Accepted | Refused | NothingToDo;
