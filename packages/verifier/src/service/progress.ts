import type { StoredEvent } from "@palimpsest/core/events";
import type { Checkpoint, Checkpoints } from "./options.ts";

/** A checkpoint is written at most this often, in milliseconds. */
const PAUSE = 500;

/**
 * How far a verifier has come. A checkpoint is saved only when every event before it has its
 * verdict: after a crash some events come twice, and none is missed.
 */
export class Progress {
  readonly #checkpoints: Checkpoints | undefined;
  #read: Checkpoint | undefined;
  #saved: Checkpoint | undefined;
  #next = 0;

  constructor(checkpoints: Checkpoints | undefined) {
    this.#checkpoints = checkpoints;
  }

  read(event: StoredEvent | undefined, after: string): void {
    if (event === undefined) return;
    const { stream, revision, id } = event;
    this.#read = { after, stream, revision, id };
  }

  async save(isSettled: boolean, isLast = false): Promise<void> {
    const now = performance.now();
    if (!isSettled || this.#read === undefined || this.#read === this.#saved) return;
    if (now < this.#next && !isLast) return;
    await this.#checkpoints?.save(this.#read);
    this.#saved = this.#read;
    this.#next = now + PAUSE;
  }
}
