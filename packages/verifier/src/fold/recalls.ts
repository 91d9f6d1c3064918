import { SparseInts } from "./columns.ts";

const NO_RECALLS: readonly number[] = [];

/** Recalls by the span whose content they repeat, and how many of them are live. */
export class Recalls {
  readonly #of = new Map<number, number[]>();
  readonly #live = new SparseInts(0);

  add(of: number, recall: number): void {
    const known = this.#of.get(of);
    if (known === undefined) this.#of.set(of, [recall]);
    else known.push(recall);
  }

  /** In order of birth. */
  of(span: number): readonly number[] {
    return this.#of.get(span) ?? NO_RECALLS;
  }

  /** A recall of the span came into view or left it. */
  addLive(of: number, change: 1 | -1): void {
    this.#live.set(of, this.#live.at(of) + change);
  }

  areAllLive(of: number): boolean {
    return this.#live.at(of) === this.of(of).length;
  }
}
