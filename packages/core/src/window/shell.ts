import type { Refused } from "../commands/answers.ts";
import type { Principal } from "../commands/principals.ts";
import type { Refusal } from "../commands/refusals.ts";
import type { EventLog } from "../log/port.ts";
import type { LiveContents } from "./contents.ts";
import { catchUp } from "./replay.ts";
import type { WindowState } from "./state.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Everything the shell knows of one window; only the queue of its runner changes it. */
export interface Shell {
  readonly log: EventLog;
  readonly principals: readonly Principal[];
  readonly tokenizers: readonly Tokenizer[];
  readonly clock: () => Date;
  readonly contents: LiveContents;
  state: WindowState;
}

/** Folds what was appended since, by whomever: nothing is decided on a state known to be old. */
export async function refresh(shell: Shell): Promise<void> {
  await catchUp(shell.log, shell.state, (events, before, after) => {
    shell.contents.follow(events, before, after);
    shell.state = after;
  });
}

export function refusedWith(...refusals: readonly Refusal[]): Refused {
  return { outcome: "refused", refusals };
}
