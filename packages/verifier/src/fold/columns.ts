/*
 * Columns: typed arrays that grow. A window of a million spans is some dozens of numbers each; as
 * objects they would not fit the memory a verifier is given.
 */

const FIRST = 64;

/** Whole numbers of 32 bits. */
export class Ints {
  #data = new Int32Array(FIRST);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(value: number): number {
    if (this.#length === this.#data.length) this.#data = grown(this.#data, Int32Array);
    this.#data[this.#length] = value;
    this.#length += 1;
    return this.#length - 1;
  }

  /** The value at an index that exists. */
  at(index: number): number {
    return this.#data[index] as number;
  }

  set(index: number, value: number): void {
    this.#data[index] = value;
  }
}

/** Whole numbers of 32 bits that are mostly the same one: only as long as the last that is not. */
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

/** Numbers that may not fit 32 bits. */
export class Doubles {
  #data = new Float64Array(FIRST);
  #length = 0;

  push(value: number): void {
    if (this.#length === this.#data.length) this.#data = grown(this.#data, Float64Array);
    this.#data[this.#length] = value;
    this.#length += 1;
  }

  at(index: number): number {
    return this.#data[index] as number;
  }
}

const DIGEST_BYTES = 32;

/** SHA-256 digests, given and taken as 64 hex digits. */
export class Digests {
  #data = new Uint8Array(FIRST * DIGEST_BYTES);
  #length = 0;

  push(hex: string): void {
    const start = this.#length * DIGEST_BYTES;
    if (start === this.#data.length) this.#data = grown(this.#data, Uint8Array);
    for (let i = 0; i < DIGEST_BYTES; i += 1) {
      this.#data[start + i] = nibble(hex, 2 * i) * 16 + nibble(hex, 2 * i + 1);
    }
    this.#length += 1;
  }

  at(index: number): string {
    const start = index * DIGEST_BYTES;
    let hex = "";
    for (let i = start; i < start + DIGEST_BYTES; i += 1) {
      hex += (this.#data[i] as number).toString(16).padStart(2, "0");
    }
    return hex;
  }

  equals(index: number, hex: string): boolean {
    const start = index * DIGEST_BYTES;
    for (let i = 0; i < DIGEST_BYTES; i += 1) {
      if (this.#data[start + i] !== nibble(hex, 2 * i) * 16 + nibble(hex, 2 * i + 1)) return false;
    }
    return true;
  }
}

function nibble(hex: string, at: number): number {
  const code = hex.charCodeAt(at);
  return code <= 57 ? code - 48 : code - 87;
}

type Column = Int32Array<ArrayBuffer> | Float64Array<ArrayBuffer> | Uint8Array<ArrayBuffer>;

function grown<T extends Column>(data: T, Kind: new (length: number) => T): T {
  const next = new Kind(data.length * 2);
  next.set(data);
  return next;
}
