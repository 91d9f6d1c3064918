/*
 * Which spans belong to a call, a group or a message: found by a hash of the name, in three numbers
 * each. A state needs no map of its own for that, nor does a snapshot.
 */

export class BondIndex {
  #spans = new Int32Array(256);
  #hashes = new Int32Array(256);
  /** The entry before with the same hash, or −1. */
  #previous = new Int32Array(256);
  /** Number + 1 of the last entry of a hash, at a place that the hash leads to; 0: none. */
  #places = new Int32Array(512);
  #size = 0;
  /** Number of different hashes. */
  #names = 0;

  /** Spans come in order of index. */
  add(index: number, hash: number): void {
    if (this.#size === this.#spans.length) this.#grow();
    if (this.#names * 4 > this.#places.length * 3) this.#makeRoom();
    const entry = this.#size;
    const place = this.#placeOf(hash);
    if (this.#places[place] === 0) this.#names += 1;
    this.#spans[entry] = index;
    this.#hashes[entry] = hash;
    this.#previous[entry] = (this.#places[place] ?? 0) - 1;
    this.#places[place] = entry + 1;
    this.#size += 1;
  }

  /** Of the first `size` spans those with this hash, and so perhaps with the name; ascending. */
  find(hash: number, size: number): number[] {
    const found: number[] = [];
    let entry = (this.#places[this.#placeOf(hash)] ?? 0) - 1;
    for (; entry >= 0; entry = this.#previous[entry] ?? -1) {
      const index = this.#spans[entry] ?? size;
      if (index < size) found.push(index);
    }
    return found.reverse();
  }

  #placeOf(hash: number): number {
    const mask = this.#places.length - 1;
    let place = hash & mask;
    for (;;) {
      const entry = (this.#places[place] ?? 0) - 1;
      if (entry < 0 || this.#hashes[entry] === hash) return place;
      place = (place + 1) & mask;
    }
  }

  #grow(): void {
    const grown = (numbers: Int32Array): Int32Array<ArrayBuffer> => {
      const longer = new Int32Array(2 * numbers.length);
      longer.set(numbers);
      return longer;
    };
    this.#spans = grown(this.#spans);
    this.#hashes = grown(this.#hashes);
    this.#previous = grown(this.#previous);
  }

  /** Keeps a quarter of the places free, or else a search would take long. */
  #makeRoom(): void {
    this.#places = new Int32Array(2 * this.#places.length);
    for (let entry = 0; entry < this.#size; entry += 1) {
      this.#places[this.#placeOf(this.#hashes[entry] ?? 0)] = entry + 1;
    }
  }
}
