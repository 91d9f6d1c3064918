import { IdBook } from "./ids.ts";

/** A call of the recording that has no result yet. */
export interface OpenCall {
  /** Its id in the window. */
  readonly call: string;
  readonly tool: string;
  readonly recordedId: string;
  /** Id in the window of the message it stands in. */
  readonly message: string;
}

/**
 * Binds results to calls. Call ids are unique for ever in a window, and recordings repeat them: a
 * recorded id means the calls of the latest message that used it, answered in their order.
 */
export class CallBook {
  readonly #ids = new IdBook("c");
  readonly #open = new Set<OpenCall>();
  readonly #latest = new Map<string, OpenCall[]>();

  open(recordedId: string, tool: string, message: string, at: number) {
    const { id, renamed } = this.#ids.give(recordedId, at);
    const call: OpenCall = { call: id, tool, recordedId, message };
    this.#open.add(call);
    const latest = this.#latest.get(recordedId);
    if (latest?.[0]?.message === message) latest.push(call);
    else this.#latest.set(recordedId, [call]);
    return { call, renamed };
  }

  /** The call that a result with this recorded id answers; it is no longer open. */
  answer(recordedId: string): OpenCall | undefined {
    const call = this.#latest.get(recordedId)?.find((each) => this.#open.has(each));
    if (call) this.#open.delete(call);
    return call;
  }

  /** The id in the window of the last call with this recorded id, open or not. */
  named(recordedId: string): string | undefined {
    return this.#latest.get(recordedId)?.at(-1)?.call;
  }

  /** Closes a call that no result is going to answer. */
  close(call: OpenCall): void {
    this.#open.delete(call);
  }

  /** The open calls, oldest first. */
  openCalls(): OpenCall[] {
    return [...this.#open];
  }
}
