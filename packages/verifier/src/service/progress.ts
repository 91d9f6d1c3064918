import type { Checkpoint, Checkpoints } from "./options.ts";

/** A checkpoint is written at most this often, in milliseconds. */
const PAUSE = 500;

/**
 * How far a verifier has come. It saves a place before which every event has its verdict, so
 * after a crash some events come twice and none is missed.
 */
export class Progress {
  readonly #checkpoints: Checkpoints | undefined;
  #saved: Checkpoint | undefined;
  #next = 0;

  constructor(checkpoints: Checkpoints | undefined, start: Checkpoint | undefined) {
    this.#checkpoints = checkpoints;
    this.#saved = start;
  }

  /** Whether there is something to save, and it is time. */
  isDue(covered: Checkpoint | undefined): boolean {
    return covered !== undefined && covered !== this.#saved && performance.now() >= this.#next;
  }

  async save(covered: Checkpoint | undefined): Promise<void> {
    if (covered === undefined || covered === this.#saved) return;
    await this.#checkpoints?.save(covered);
    this.#saved = covered;
    this.#next = performance.now() + PAUSE;
  }
}
