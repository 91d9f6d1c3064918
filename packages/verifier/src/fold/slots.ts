import { Ints } from "./columns.ts";

const BLOCK = 256;
const NOBODY = -1;
/** Slots that the tree begins with, a power of two. */
const FIRST_SLOTS = 16;

/**
 * The places of a window. An admitted span has a place of its own, and a rewrite's product takes
 * the first place of what it stands for. A place shows a live span, or an evicted one (as a part of
 * a gap), or nothing. Counts live spans in a range in O(log n) and walks only what is shown.
 */
export class Slots {
  /** Position of a slot: the revision at which its first span was born. */
  readonly #positions = new Ints();
  readonly #shown = new Ints();
  readonly #shownInBlock = new Ints();
  /** Fenwick tree over the live spans of each slot. */
  #tree = new Int32Array(FIRST_SLOTS + 1);
  readonly #live = new Ints();

  get size(): number {
    return this.#positions.length;
  }

  add(position: number): number {
    const slot = this.#positions.push(position);
    this.#shown.push(NOBODY);
    this.#live.push(0);
    if (slot % BLOCK === 0) this.#shownInBlock.push(0);
    if (slot + 1 >= this.#tree.length) this.#growTree();
    return slot;
  }

  positionOf(slot: number): number {
    return this.#positions.at(slot);
  }

  /** The slot now shows the span, which is live or evicted. */
  show(slot: number, span: number): void {
    if (this.#shown.at(slot) === NOBODY) this.#count(slot, 1);
    this.#shown.set(slot, span);
  }

  /** The slot no longer shows the span. */
  hide(slot: number, span: number): void {
    if (this.#shown.at(slot) !== span) return;
    this.#shown.set(slot, NOBODY);
    this.#count(slot, -1);
  }

  addLive(slot: number, change: 1 | -1): void {
    this.#live.set(slot, this.#live.at(slot) + change);
    for (let i = slot + 1; i < this.#tree.length; i += i & -i) {
      this.#tree[i] = (this.#tree[i] as number) + change;
    }
  }

  /** Live spans in the slots from `first` to `last`, both included. */
  liveBetween(first: number, last: number): number {
    return this.#liveUpTo(last + 1) - this.#liveUpTo(first);
  }

  /** The spans that are shown, in order of place. */
  *shown(): Generator<number> {
    for (let block = 0; block < this.#shownInBlock.length; block += 1) {
      if (this.#shownInBlock.at(block) === 0) continue;
      const end = Math.min((block + 1) * BLOCK, this.size);
      for (let slot = block * BLOCK; slot < end; slot += 1) {
        const span = this.#shown.at(slot);
        if (span !== NOBODY) yield span;
      }
    }
  }

  #count(slot: number, change: number): void {
    const block = Math.floor(slot / BLOCK);
    this.#shownInBlock.set(block, this.#shownInBlock.at(block) + change);
  }

  #liveUpTo(end: number): number {
    let sum = 0;
    for (let i = end; i > 0; i -= i & -i) sum += this.#tree[i] as number;
    return sum;
  }

  #growTree(): void {
    this.#tree = new Int32Array((this.#tree.length - 1) * 2 + 1);
    for (let slot = 0; slot < this.#live.length; slot += 1) {
      const count = this.#live.at(slot);
      if (count === 0) continue;
      for (let i = slot + 1; i < this.#tree.length; i += i & -i) {
        this.#tree[i] = (this.#tree[i] as number) + count;
      }
    }
  }
}
