import type { Folded } from "../window/reading.ts";

/**
 * States of one window that were folded already. They share nearly everything with one another,
 * so keeping one in every few dozen events costs little; when there are too many, every other one
 * is let go and the stride doubles.
 */
export class KeptStates {
  readonly #states = new Map<number, Folded>();
  readonly #most: number;
  #stride: number;

  constructor(stride: number, most: number) {
    this.#stride = stride;
    this.#most = most;
  }

  /** The first revision after `revision` whose state should be kept. */
  nextAfter(revision: number): number {
    return (Math.floor((revision + 1) / this.#stride) + 1) * this.#stride - 1;
  }

  keep(folded: Folded): void {
    const { revision } = folded.state;
    if ((revision + 1) % this.#stride !== 0) return;
    this.#states.set(revision, folded);
    if (this.#states.size <= this.#most) return;
    this.#stride *= 2;
    for (const kept of this.#states.keys()) {
      if ((kept + 1) % this.#stride !== 0) this.#states.delete(kept);
    }
  }

  /** The last kept state that is not later than `revision`. */
  latest(revision: number): Folded | undefined {
    // Strides are regular, so a state that was passed by once is found in a few steps.
    for (let at = this.nextAfter(revision) - this.#stride; at >= 0; at -= this.#stride) {
      const state = this.#states.get(at);
      if (state !== undefined) return state;
    }
    return undefined;
  }
}
