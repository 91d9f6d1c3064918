import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReadResp } from "@eventstore/db-client/generated/streams_pb.js";
import type { Messages } from "./connection.ts";

/** The messages of one subscription on the server, taken when the consumer wants them. */
export class Feed {
  readonly #messages: Messages;
  #wake: () => void = () => {};
  #over = false;
  #error: unknown;

  constructor(messages: Messages) {
    this.#messages = messages;
    const wake = (): void => this.#wake();
    messages.on("readable", wake);
    messages.on("error", (error) => {
      this.#error ??= error;
      this.#end();
    });
    // Without an error too: the server may just end the stream.
    messages.on("end", () => this.#end());
    messages.on("close", () => this.#end());
  }

  /** The next message that has arrived; null when there is none, now or for good. */
  take(): ReadResp | null {
    return this.#messages.read();
  }

  /** True once nothing more can come; throws the error that ended it. */
  get isOver(): boolean {
    if (this.#over && this.#error !== undefined) throw this.#error;
    return this.#over;
  }

  /** True while messages wait that were not taken. */
  get hasMore(): boolean {
    return this.#messages.readableLength > 0;
  }

  /** Resolves when there may be something to take, or the feed is over. */
  async change(signal: AbortSignal, patience?: number): Promise<void> {
    if (this.#over || this.hasMore || signal.aborted) return;
    // Mostly more is on its way: what comes in one turn is taken together, without a timer.
    await nextTurn();
    if (this.#over || this.hasMore || signal.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const wake = (): void => resolve();
    this.#wake = wake;
    const timer = patience === undefined ? undefined : setTimeout(wake, patience);
    signal.addEventListener("abort", wake);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", wake);
      this.#wake = () => {};
    }
  }

  /** Ends the subscription on the server. */
  close(): void {
    this.#messages.cancel();
  }

  #end(): void {
    this.#over = true;
    this.#wake();
  }
}
