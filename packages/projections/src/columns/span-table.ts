import type { Span } from "@palimpsest/core/state";
import type { Bond } from "./belongings.ts";
import { hashesOf, hashOf, hashOfName, nameOf } from "./belongings.ts";
import { BondIndex } from "./bond-index.ts";
import { unpackedBlocks } from "./extras.ts";
import type { Block } from "./span-block.ts";
import {
  BLOCK,
  emptyBlock,
  idIn,
  isSpanIn,
  loadBlock,
  saveBlock,
  spanIn,
  visitBonds,
  writeSpan,
} from "./span-block.ts";

/** A block as text, and the SHA-256 of it. */
export interface SavedSpans {
  readonly digest: string;
  readonly text: string;
}

/** Spans that were made from their columns lately, one for each place of the cache. */
const CACHED = 4_096;

/**
 * Spans of one window in columns. A span that went out of view is kept for ever, since it may come
 * back, but hardly ever looked at; as an object with its entry in a map of ids it takes some 450
 * bytes, in columns about 100. A table only grows, so every state of the window shares one.
 *
 * Blocks that were saved stay text until one of their spans is asked for, most of them for ever.
 */
export class SpanTable {
  /** A text is a full block that was loaded and not opened yet. */
  readonly #blocks: (Block | string)[] = [];
  /** Of the texts of full blocks, where they were loaded. */
  readonly #digests: (string | undefined)[] = [];
  /** Numbers of the blocks that are not open, ascending; their ids have no places. */
  #closed: number[] = [];
  readonly #cache: (Span | undefined)[] = [];
  /** Index + 1 of a span, at a place that the hash of its id leads to; 0: nobody. */
  #places = new Int32Array(2 * BLOCK);
  #entered = 0;
  readonly #bonds = new BondIndex();
  readonly #unpacked = unpackedBlocks();
  #size = 0;

  /** Number of spans of the longest state. */
  get size(): number {
    return this.#size;
  }

  at(index: number): Span {
    const cached = this.#cache[index % CACHED];
    if (cached?.index === index) return cached;
    const span = spanIn(this.#blockOf(index), index % BLOCK, index);
    this.#cache[index % CACHED] = span;
    return span;
  }

  add(span: Span): void {
    const index = this.#size;
    const place = index % BLOCK;
    if (place === 0) this.#blocks.push(emptyBlock(this.#unpacked));
    this.#size += 1;
    writeSpan(this.#blockOf(index), place, span);
    for (const hash of hashesOf(span)) this.#bonds.add(index, hash);
    this.#cache[index % CACHED] = span;
    this.#enter(index, hashOf(span.id, 0, span.id.length));
  }

  /** The first `count` spans of a block as text, for `load`. */
  save(number: number, count: number): string {
    const block = this.#blocks[number];
    if (typeof block === "string" && count === BLOCK) return block;
    return saveBlock(this.#blockOf(number * BLOCK), count);
  }

  /**
   * Takes over blocks that `save` gave, from the first one on, of which all but the last are full;
   * gives the number of their spans. Throws where the table has other spans already.
   */
  load(blocks: readonly SavedSpans[]): number {
    const full = blocks.slice(0, -1);
    for (const [number, { digest, text }] of full.entries()) {
      if (this.#size === number * BLOCK) this.#append(text);
      else if (this.#digests[number] !== digest) this.#compare(number, text);
      this.#digests[number] = digest;
    }
    const last = blocks.at(-1);
    return last === undefined ? 0 : full.length * BLOCK + this.#compare(full.length, last.text);
  }

  /** Whether a span is the one at `index`, as far as a stream can tell spans apart. */
  has(index: number, span: Span): boolean {
    return isSpanIn(this.#blockOf(index), index % BLOCK, span);
  }

  /** The last of the first `size` spans that has this id. */
  find(id: string, size: number): number | undefined {
    const hash = hashOf(id, 0, id.length);
    for (;;) {
      const found = this.#search(id, hash, size);
      const closed = this.#closed.findLast((number) => number * BLOCK < size);
      if (closed === undefined || (found ?? -1) >= closed * BLOCK) return found;
      this.#open(closed);
    }
  }

  /** Indices of the first `size` spans that belong to the call, group or message of that name. */
  bound(bond: Bond, name: string, size: number): number[] {
    return this.#bonds
      .find(hashOfName(bond, name), size)
      .filter((index) => nameOf(this.at(index), bond) === name);
  }

  #search(id: string, hash: number, size: number): number | undefined {
    const mask = this.#places.length - 1;
    let found: number | undefined;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const index = (this.#places[place] ?? 0) - 1;
      if (index < 0) return found;
      if (index < size && index > (found ?? -1) && this.#hasId(index, id, hash)) found = index;
    }
  }

  #append(text: string): void {
    visitBonds(text, (place, hash) => this.#bonds.add(this.#size + place, hash));
    this.#closed.push(this.#blocks.length);
    this.#blocks.push(text);
    this.#size += BLOCK;
  }

  /** Adds the spans of a saved block that the table does not have; those it has must be them. */
  #compare(number: number, text: string): number {
    const { block, count } = loadBlock(text, this.#unpacked);
    for (let place = 0; place < count; place += 1) {
      const index = number * BLOCK + place;
      const span = spanIn(block, place, index);
      if (index === this.#size) this.add(span);
      else if (!this.has(index, span)) throw new RangeError("other spans were born there");
    }
    return count;
  }

  #blockOf(index: number): Block {
    const number = Math.floor(index / BLOCK);
    const block = this.#blocks[number] as Block | string;
    return typeof block === "string" ? this.#open(number) : block;
  }

  #open(number: number): Block {
    const { block, count } = loadBlock(this.#blocks[number] as string, this.#unpacked);
    if (count !== BLOCK) throw new RangeError(`a saved block has ${count} spans, not ${BLOCK}`);
    this.#blocks[number] = block;
    this.#closed = this.#closed.filter((closed) => closed !== number);
    for (let place = 0; place < count; place += 1) {
      this.#enter(number * BLOCK + place, block.hashes[place] ?? 0);
    }
    return block;
  }

  #hasId(index: number, id: string, hash: number): boolean {
    const block = this.#blockOf(index);
    const place = index % BLOCK;
    return block.hashes[place] === hash && idIn(block, place) === id;
  }

  #enter(index: number, hash: number): void {
    this.#entered += 1;
    if (this.#entered * 2 > this.#places.length) this.#makeRoom();
    this.#put(index, hash);
  }

  #put(index: number, hash: number): void {
    const mask = this.#places.length - 1;
    let place = hash & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = index + 1;
  }

  /** Keeps half of the places free, or else a search would take long. */
  #makeRoom(): void {
    const entered = this.#places.filter((place) => place > 0);
    this.#places = new Int32Array(this.#places.length * 4);
    for (const place of entered) {
      this.#put(place - 1, this.#blockOf(place - 1).hashes[(place - 1) % BLOCK] ?? 0);
    }
  }
}
