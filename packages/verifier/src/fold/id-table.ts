import { Bytes, Ints } from "./columns.ts";

/** Nobody can choose ids that collide without knowing the seed of this process. */
const SEED = crypto.getRandomValues(new Int32Array(1))[0] ?? 0;

/**
 * Ids (ASCII, as the format has them) by the order in which they came, and back. Bytes in one
 * array and a table of open addressing: a quarter of what a Map of strings takes.
 */
export class IdTable {
  readonly #bytes = new Bytes();
  /** Where each id ends; it begins where the one before it ends. */
  readonly #ends = new Ints();
  /** Index of an id plus 1, or 0. */
  #table = new Int32Array(16);

  get size(): number {
    return this.#ends.length;
  }

  /** The index of an id, or -1. */
  find(id: string): number {
    const mask = this.#table.length - 1;
    for (let slot = hash(id) & mask; ; slot = (slot + 1) & mask) {
      const index = (this.#table[slot] as number) - 1;
      if (index < 0 || this.#holds(index, id)) return index;
    }
  }

  /** Enters an id that is not there yet; its index. */
  add(id: string): number {
    if ((this.size + 1) * 2 > this.#table.length) this.#rehash();
    for (let i = 0; i < id.length; i += 1) this.#bytes.push(id.charCodeAt(i));
    const index = this.#ends.push(this.#bytes.length);
    this.#enter(hash(id), index);
    return index;
  }

  /** The id at an index that exists. */
  at(index: number): string {
    let text = "";
    for (let i = this.#startOf(index); i < this.#ends.at(index); i += 1) {
      text += String.fromCharCode(this.#bytes.at(i));
    }
    return text;
  }

  #startOf(index: number): number {
    return index === 0 ? 0 : this.#ends.at(index - 1);
  }

  #holds(index: number, id: string): boolean {
    const start = this.#startOf(index);
    if (this.#ends.at(index) - start !== id.length) return false;
    for (let i = 0; i < id.length; i += 1) {
      if (this.#bytes.at(start + i) !== id.charCodeAt(i)) return false;
    }
    return true;
  }

  #enter(hashed: number, index: number): void {
    const mask = this.#table.length - 1;
    let slot = hashed & mask;
    while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
    this.#table[slot] = index + 1;
  }

  #rehash(): void {
    this.#table = new Int32Array(this.#table.length * 2);
    for (let index = 0; index < this.size; index += 1) this.#enter(hash(this.at(index)), index);
  }
}

/** FNV-1a over the seed and the characters, mixed once more. */
function hash(id: string): number {
  let state = SEED ^ 0x811c9dc5;
  for (let i = 0; i < id.length; i += 1) {
    state = Math.imul(state ^ id.charCodeAt(i), 0x01000193);
    state ^= state >>> 13;
  }
  state = Math.imul(state ^ (state >>> 16), 0x45d9f3b);
  return state ^ (state >>> 15);
}
