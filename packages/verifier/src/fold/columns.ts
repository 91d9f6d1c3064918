/*
 * Columns: typed arrays that grow. A window of a million spans is some dozens of numbers each; as
 * objects they would not fit the memory a verifier is given.
 */

/**
 * Values in a chunk, a power of two. The first one starts small: most windows are, and what has no
 * more than 64 bytes costs the engine no allocation outside its heap.
 */
const CHUNK_BITS = 14;
const CHUNK = 1 << CHUNK_BITS;
const FIRST_VALUES = 16;

type Values = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

/** Grows by chunks and not by doubling, so that nothing large is ever copied and left behind. */
class Column<T extends Values> {
  readonly #Kind: new (
    length: number,
  ) => T;
  readonly #chunks: T[] = [];
  #length = 0;

  constructor(Kind: new (length: number) => T) {
    this.#Kind = Kind;
  }

  get length(): number {
    return this.#length;
  }

  /** The index of the value. */
  push(value: number): number {
    const index = this.#length;
    const chunk = index >> CHUNK_BITS;
    const place = index & (CHUNK - 1);
    if (chunk === this.#chunks.length) {
      this.#chunks.push(new this.#Kind(chunk === 0 ? FIRST_VALUES : CHUNK));
    } else if (place === this.#chunks[chunk]?.length) {
      const larger = new this.#Kind(place * 2);
      larger.set(this.#chunks[chunk] as T);
      this.#chunks[chunk] = larger;
    }
    (this.#chunks[chunk] as T)[place] = value;
    this.#length += 1;
    return index;
  }

  /** The value at an index that exists. */
  at(index: number): number {
    return (this.#chunks[index >> CHUNK_BITS] as T)[index & (CHUNK - 1)] as number;
  }

  set(index: number, value: number): void {
    (this.#chunks[index >> CHUNK_BITS] as T)[index & (CHUNK - 1)] = value;
  }
}

/** Whole numbers of 32 bits. */
export class Ints extends Column<Int32Array<ArrayBuffer>> {
  constructor() {
    super(Int32Array);
  }
}

/** Numbers that may not fit 32 bits. */
export class Doubles extends Column<Float64Array<ArrayBuffer>> {
  constructor() {
    super(Float64Array);
  }
}

export class Bytes extends Column<Uint8Array<ArrayBuffer>> {
  constructor() {
    super(Uint8Array);
  }
}

/** Whole numbers of 32 bits, most of them the same; stored up to the last one that differs. */
export class SparseInts {
  readonly #ints = new Ints();
  readonly #usual: number;

  constructor(usual: number) {
    this.#usual = usual;
  }

  at(index: number): number {
    return index < this.#ints.length ? this.#ints.at(index) : this.#usual;
  }

  set(index: number, value: number): void {
    if (value === this.at(index)) return;
    while (this.#ints.length <= index) this.#ints.push(this.#usual);
    this.#ints.set(index, value);
  }
}

/** 32-bit words of a SHA-256 digest. */
const WORDS = 8;

/** SHA-256 digests, given and taken as 64 hex digits. */
export class Digests {
  readonly #words = new Ints();

  push(hex: string): void {
    for (let i = 0; i < WORDS; i += 1) this.#words.push(wordOf(hex, i));
  }

  at(index: number): string {
    let hex = "";
    for (let i = 0; i < WORDS; i += 1) {
      hex += (this.#words.at(index * WORDS + i) >>> 0).toString(16).padStart(8, "0");
    }
    return hex;
  }

  equals(index: number, hex: string): boolean {
    for (let i = 0; i < WORDS; i += 1) {
      if (this.#words.at(index * WORDS + i) !== wordOf(hex, i)) return false;
    }
    return true;
  }
}

function wordOf(hex: string, i: number): number {
  return Number.parseInt(hex.slice(8 * i, 8 * i + 8), 16) | 0;
}
