import type { Refused } from "../commands/answers.ts";
import type { Principal } from "../commands/principals.ts";
import type { Refusal } from "../commands/refusals.ts";
import { bounded, refusal, windowNotOpen } from "../commands/refusals.ts";
import type { EventLog } from "../log/port.ts";
import type { WindowState } from "../state/state.ts";
import type { Tokenizer } from "../view/tokenizer.ts";
import type { LiveContents } from "./contents.ts";
import type { Coverage } from "./coverage.ts";
import type { ClaimFinder, FinderWindow, LeftOut } from "./finder.ts";
import type { CommandGate } from "./gate.ts";
import type { Waiting } from "./lost-race.ts";
import { catchUp } from "./replay.ts";

/** Everything the shell knows of one window; only the queue of its runner changes it. */
export interface Shell {
  readonly log: EventLog;
  readonly principals: readonly Principal[];
  readonly tokenizers: readonly Tokenizer[];
  /** Looks for claims in what the convenience API brings; undefined: nobody looks. */
  readonly finder: ClaimFinder | undefined;
  readonly finderWindow: FinderWindow;
  readonly finderTimeoutMs: number;
  readonly gate: CommandGate | undefined;
  readonly clock: () => Date;
  readonly waiting: Waiting;
  readonly contents: LiveContents;
  readonly coverage: Coverage;
  /** What the finder found and the window did not take, since this handle was made. */
  leftOut: LeftOut;
  state: WindowState;
}

/** Folds what was appended since, by whomever: nothing is decided on a state known to be old. */
export async function refresh(shell: Shell): Promise<void> {
  await catchUp(shell.log, shell.state, (events, before, after) => {
    shell.contents.follow(events, before, after);
    shell.state = after;
  });
}

/** The tokenizer that the window's stream names, if this process knows it. */
export function tokenizerNamed(shell: Shell, name: string): Tokenizer | undefined {
  return shell.tokenizers.find((one) => one.name === name);
}

/** Why nothing that counts tokens can be done here, when the tokenizer is unknown. */
export function tokenizerRefusal(shell: Shell): Refusal | undefined {
  const name = shell.state.tokenizer;
  if (name === "" || tokenizerNamed(shell, name) !== undefined) return undefined;
  return refusal(
    "invalid-command",
    `no tokenizer ${JSON.stringify(name)} is known to this process: pass it in tokenizers`,
    { tokenizer: name },
  );
}

/** Why a window can be neither read nor pruned here: not open, or counted in an unknown way. */
export function unusableWindow(shell: Shell): Refusal | undefined {
  if (shell.state.revision >= 0) return tokenizerRefusal(shell);
  return windowNotOpen();
}

/** Why a command that was sent for another revision than the window's is not for this one. */
export function wrongRevision(
  { revision }: WindowState,
  expected: number | "no-stream" | "any" | undefined,
): Refusal | undefined {
  if (expected === undefined || expected === "any") return undefined;
  if (expected === (revision < 0 ? "no-stream" : revision)) return undefined;
  return refusal(
    "wrong-expected-revision",
    `the window is at revision ${revision < 0 ? "none" : revision}, not at ${expected}: ` +
      "look at what was appended since and decide again",
    { expected, actual: revision < 0 ? null : revision },
  );
}

/**
 * The tokenizer of a window that is open. Throws for a name this process does not know: a count by
 * another tokenizer would be a guess.
 */
export function tokenizerOf(shell: Shell): Tokenizer {
  const name = shell.state.tokenizer;
  const found = tokenizerNamed(shell, name);
  if (found !== undefined) return found;
  throw new TypeError(
    `window ${shell.state.window} counts with tokenizer ${JSON.stringify(name)}, which this ` +
      "process does not know: pass it in `tokenizers`",
  );
}

export function refusedWith(...refusals: readonly Refusal[]): Refused {
  return { outcome: "refused", refusals: bounded(refusals) };
}
