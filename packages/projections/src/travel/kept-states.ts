import type { WindowState } from "@palimpsest/core";

/**
 * States of one window that were folded already. They share nearly everything with one another,
 * so keeping one in every few dozen events costs little; when there are too many, every other one
 * is let go and the stride doubles.
 */
export class KeptStates {
  readonly #states = new Map<number, WindowState>();
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

  keep(state: WindowState): void {
    if ((state.revision + 1) % this.#stride !== 0) return;
    this.#states.set(state.revision, state);
    if (this.#states.size <= this.#most) return;
    this.#stride *= 2;
    for (const revision of this.#states.keys()) {
      if ((revision + 1) % this.#stride !== 0) this.#states.delete(revision);
    }
  }

  /** The last kept state that is not later than `revision`. */
  latest(revision: number): WindowState | undefined {
    // Strides are regular, so a state that was passed by once is found in a few steps.
    for (let at = this.nextAfter(revision) - this.#stride; at >= 0; at -= this.#stride) {
      const state = this.#states.get(at);
      if (state !== undefined) return state;
    }
    return undefined;
  }
}
