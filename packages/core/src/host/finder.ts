import type { CommandInputs } from "../commands/by-name.ts";
import type { DecidedCommand } from "../decide/step.ts";
import type { Json } from "../json/json.ts";
import type { Span, WindowState } from "../state/state.ts";

/**
 * The port for what finds claims in text. `admit`, `batch` and `observe` ask it about each append
 * before it is decided, and assert what it finds in the same append. Nobody asked for that: a
 * command that is malformed or would be refused is dropped and counted, and what was asked for is
 * done in any case, also where the finder throws. Without a finder a window finds nothing.
 */
export interface ClaimFinder {
  /** Says which finder it is, to people. */
  readonly name: string;
  /**
   * Looks at one append, within the time that the window gives it (`finderTimeoutMs`). It is asked
   * once, also where a race is lost and the append is decided anew: looking may cost money.
   */
  look(append: UndecidedAppend): FoundClaims | Promise<FoundClaims>;
}

/** An append that a finder may look at. */
export interface UndecidedAppend {
  /** What the window holds. */
  readonly window: FinderWindow;
  /** The commands that were asked for, in order. */
  readonly commands: readonly DecidedCommand[];
}

/** A window as a finder may see it; the same object for each append of one handle. */
export interface FinderWindow {
  /** The state that is in the log. */
  readonly state: WindowState;
  /** Content of a live span by its index, if it is at hand without asking the store. */
  peek(index: number): Json | undefined;
  /** Content of spans, by index; what the store lost is left out. */
  read(spans: readonly Span[]): Promise<ReadonlyMap<number, Json>>;
}

/** What a finder may have appended. */
export type FoundCommand = CommandInputs["assertClaim" | "noteConflict"];

/** An append that is being decided; another object each time it is decided anew. */
export interface AppendSoFar {
  /** The state that everything decided so far leads to. */
  readonly state: WindowState;
}

/** What a finder found for one append. */
export interface FoundClaims {
  /**
   * Ids of spans that were there before and that the commands may name: their content is read from
   * the store at once, and not one after another. Default: none.
   */
  readonly cites?: Iterable<string>;
  /**
   * What is worth appending behind the command at `index`, in order. It is asked for after that
   * command was decided, one command at a time, so a generator can look at what became of the
   * command it gave last. Pure.
   */
  behind(index: number, append: AppendSoFar): Iterable<FoundCommand>;
  /** What was found beyond the finder's own limits; asked for last. */
  beyondLimits?(): BeyondLimits;
}

/** Numbers of what was found beyond a finder's limits and is not in the window. */
export interface BeyondLimits {
  /** Claims that were found and not given. */
  readonly claims: number;
  /** Conflicts that were found and not given. */
  readonly conflicts: number;
}

/** What a finder found, or failed to, and is not in the window. */
export interface LeftOut extends BeyondLimits {
  /** Number of commands that were malformed or would have been refused. */
  readonly dropped: number;
  /** Number of appends at which the finder threw, or took longer than it may. */
  readonly failures: number;
}

export const NOTHING_LEFT_OUT: LeftOut = { claims: 0, conflicts: 0, dropped: 0, failures: 0 };

export function bothLeftOut(a: LeftOut, b: LeftOut): LeftOut {
  return {
    claims: a.claims + b.claims,
    conflicts: a.conflicts + b.conflicts,
    dropped: a.dropped + b.dropped,
    failures: a.failures + b.failures,
  };
}
