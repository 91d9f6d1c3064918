import { VERDICT_STREAM_PREFIX } from "@palimpsest/core/events";
import type { Reader } from "../check/reader.ts";
import type { VerifierKey } from "../notes/key.ts";
import { VerdictChain } from "./verdict-chain.ts";

/** Most chains that are kept; each holds a verdict or three. */
const MOST_CHAINS = 1_000;

/**
 * The verdict chains of any number of windows in bounded memory: the least recently used one
 * leaves, and is read from the store again when it is asked for.
 */
export class VerdictChains {
  readonly #log: Reader;
  readonly #trusted: readonly VerifierKey[];
  readonly #most: number;
  readonly #chains = new Map<string, VerdictChain>();

  constructor(log: Reader, trusted: readonly VerifierKey[] = [], most = MOST_CHAINS) {
    this.#log = log;
    this.#trusted = trusted;
    this.#most = most;
  }

  /** The chain of a window before a revision. Default: all of it that is stored. */
  async upTo(window: string, revision = Number.MAX_SAFE_INTEGER): Promise<VerdictChain> {
    const known = this.#chains.get(window);
    const chain = known ?? new VerdictChain(window, this.#trusted);
    const from = chain.head + 1;
    if (from < revision) {
      const stream = VERDICT_STREAM_PREFIX + window;
      for await (const page of this.#log.read(stream, { from, to: revision - 1 })) {
        for (const event of page) if (event.revision > chain.head) chain.take(event);
      }
    }
    this.#chains.delete(window);
    this.#chains.set(window, chain);
    // One came at most, so one leaves at most.
    const [oldest = window] = this.#chains.keys();
    if (this.#chains.size > this.#most) this.#chains.delete(oldest);
    return chain;
  }
}
