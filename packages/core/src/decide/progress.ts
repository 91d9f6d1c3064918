import type { WindowEvent } from "../events/schema.ts";
import type { Draft } from "../state/draft.ts";
import { mutableDraft, settle } from "../state/draft.ts";
import { fold } from "../state/evolve.ts";
import type { WindowState } from "../state/state.ts";
import type { Act } from "./outcome.ts";
import { advance, pending } from "./outcome.ts";
import type { DecidedCommand } from "./step.ts";

/** Batches below this size are not worth a mutable draft. */
const LONG_BATCH = 8;

/**
 * The state between the commands of one append. A run of admissions in a long batch is folded in
 * place: they only look at the state, so none of them can keep hold of what is about to change.
 */
export class Progress {
  readonly #long: boolean;
  #state: WindowState;
  #draft: Draft | undefined;

  constructor(state: WindowState, commands: number) {
    this.#state = state;
    this.#long = commands >= LONG_BATCH;
  }

  /** The state to decide `command` on. */
  before({ command }: DecidedCommand): WindowState {
    if (command !== "admitSpan" || !this.#long) return this.settled();
    this.#draft ??= mutableDraft(this.#state);
    return this.#draft;
  }

  /** `known`: the state that the events lead to, where it has been worked out. */
  add(list: readonly WindowEvent[], act: Act, known?: WindowState): void {
    const draft = this.#draft;
    if (known !== undefined) this.#state = known;
    else if (draft === undefined) this.#state = advance(this.#state, list, act);
    else for (const event of list) fold(draft, pending(event, draft.revision + 1, act));
  }

  settled(): WindowState {
    if (this.#draft !== undefined) this.#state = settle(this.#draft);
    this.#draft = undefined;
    return this.#state;
  }
}
