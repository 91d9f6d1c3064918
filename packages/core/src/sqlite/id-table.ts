import { UUID_BYTES } from "../log/uuid.ts";

/**
 * Where the event ids of a stream are, by their hash: some bytes for each instead of a hundred, and
 * one place in memory that a look-up touches. Whoever finds a revision here compares the id there.
 */
export interface IdTable {
  /** How many ids it has; the first of them is at revision 0. */
  readonly length: number;
  /** Adds ids, 16 bytes each, behind those that it has. */
  add(ids: Uint8Array): void;
  /** The revisions at which the id may be that stands at `at` in `ids`. */
  candidates(ids: Uint8Array, at: number): readonly number[];
}

const FIRST_SLOTS = 256;
const NONE: readonly number[] = [];

export function createIdTable(): IdTable {
  const hash = createHash();
  let length = 0;
  // Open addressing. A slot is a hash and, behind it, the revision plus one; 0 where it is free.
  let slots = new Int32Array(2 * FIRST_SLOTS);
  let mask = FIRST_SLOTS - 1;

  const put = (code: number, revision: number): void => {
    let slot = code & mask;
    while (slots[2 * slot + 1] !== 0) slot = (slot + 1) & mask;
    slots[2 * slot] = code;
    slots[2 * slot + 1] = revision + 1;
  };
  const grow = (): void => {
    const old = slots;
    slots = new Int32Array(2 * old.length);
    mask = slots.length / 2 - 1;
    for (let at = 0; at < old.length; at += 2) {
      const next = old[at + 1] ?? 0;
      if (next !== 0) put(old[at] ?? 0, next - 1);
    }
  };
  return {
    get length() {
      return length;
    },
    add(ids) {
      for (let at = 0; at < ids.length; at += UUID_BYTES) {
        if (2 * length > mask) grow();
        put(hash(ids, at), length);
        length += 1;
      }
    },
    candidates(ids, at) {
      const code = hash(ids, at);
      let found = NONE;
      for (let slot = code & mask; ; slot = (slot + 1) & mask) {
        const next = slots[2 * slot + 1] ?? 0;
        if (next === 0) return found;
        if (slots[2 * slot] === code) found = [...found, next - 1];
      }
    },
  };
}

/** Another one in every table, so that nobody can choose ids that fall together. */
function createHash(): (ids: Uint8Array, at: number) => number {
  const factors = crypto.getRandomValues(new Int32Array(UUID_BYTES));
  return (ids, at) => {
    let code = 0;
    for (let index = 0; index < UUID_BYTES; index += 1) {
      code = (code + Math.imul(ids[at + index] ?? 0, factors[index] ?? 0)) | 0;
    }
    return code ^ (code >>> 15);
  };
}
