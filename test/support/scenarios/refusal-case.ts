import type { Sent } from "./commands.ts";

/** What provokes a refusal, and the facts that come with it. */
export interface RefusalCase {
  readonly given?: readonly Sent[];
  readonly when: Sent;
  readonly facts?: object;
  /** A refused settlement is in the log; nothing else is. */
  readonly logged?: boolean;
  /** Whether the window is open; true unless said otherwise. */
  readonly open?: boolean;
  /** The store lost this revision before the command came. */
  readonly lost?: number;
  /** The record at this revision names nothing when the window is opened again. */
  readonly emptied?: number;
  /** Budget of the window. */
  readonly budgetTokens?: number;
  /** Most bytes that the store takes in one append. */
  readonly maxAppendBytes?: number;
}
