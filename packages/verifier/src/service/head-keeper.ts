import type { KeptHeads, KeptVerdict } from "../verify/kept-heads.ts";

/** Most heads that are written at the same time. */
const MOST_RUNNING = 8;

/**
 * Keeps heads outside the store while the verifier goes on, for each waits for the disk. The heads
 * of one window are kept one after another.
 */
export class HeadKeeper {
  readonly #heads: KeptHeads | undefined;
  readonly #running = new Map<string, Promise<void>>();
  #failure: { readonly error: unknown } | undefined;
  #hasHeads = false;

  constructor(heads: KeptHeads | undefined) {
    this.#heads = heads;
  }

  /** Resolves when writing has begun; the next call rejects if it failed. */
  async keep(window: string, kept: KeptVerdict): Promise<void> {
    await this.#running.get(window);
    while (this.#running.size >= MOST_RUNNING) await Promise.race(this.#running.values());
    this.#throwFailure();
    const running = (this.#heads?.put(window, kept) ?? Promise.resolve())
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => this.#running.delete(window));
    this.#running.set(window, running);
  }

  /** Every head is kept. */
  async settled(): Promise<void> {
    await Promise.all(this.#running.values());
    this.#throwFailure();
  }

  /** Whether any head was kept: then the verifier has looked at this store before. */
  async hasHeads(): Promise<boolean> {
    if (this.#hasHeads || this.#heads === undefined) return this.#hasHeads;
    for await (const _ of this.#heads.windows()) {
      this.#hasHeads = true;
      break;
    }
    return this.#hasHeads;
  }

  #throwFailure(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }
}
