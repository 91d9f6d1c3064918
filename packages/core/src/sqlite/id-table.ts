import { UUID_BYTES } from "../log/uuid.ts";

/**
 * Where the event ids of a stream are, by their hash: some bytes for each instead of a hundred, and
 * one place in memory that a look-up touches. Whoever finds a revision here compares the id there.
 */
export interface IdTable {
  /** How many ids it has; the first of them is at revision 0. */
  readonly length: number;
  /** Adds so many ids, 16 bytes each, behind those that it has; the last may be missing. */
  add(ids: Uint8Array, count?: number): void;
  /** The revisions at which the id may be that stands at `at` in `ids`, the newest first. */
  candidates(ids: Uint8Array, at: number): Iterable<number>;
  /** Whether that id has a candidate. */
  mayHold(ids: Uint8Array, at: number): boolean;
}

const FIRST_SLOTS = 256;

export function createIdTable(): IdTable {
  const hash = createHash();
  let length = 0;
  // Open addressing. A slot is a hash and, behind it, the newest revision that has it plus one; 0
  // where it is free.
  let slots = new Int32Array(2 * FIRST_SLOTS);
  let mask = FIRST_SLOTS - 1;
  /** By revision, the one before it whose id has the same hash. Few have one. */
  const earlier = new Map<number, number>();

  /** Where the hash is, or would be put. */
  const slotOf = (code: number): number => {
    let slot = code & mask;
    while (slots[2 * slot + 1] !== 0 && slots[2 * slot] !== code) slot = (slot + 1) & mask;
    return 2 * slot;
  };
  const newest = (code: number): number => (slots[slotOf(code) + 1] ?? 0) - 1;
  const grow = (): void => {
    const old = slots;
    slots = new Int32Array(2 * old.length);
    mask = slots.length / 2 - 1;
    for (let at = 0; at < old.length; at += 2) {
      if (old[at + 1] !== 0) slots.set(old.subarray(at, at + 2), slotOf(old[at] ?? 0));
    }
  };
  const put = (code: number, revision: number): void => {
    const slot = slotOf(code);
    const next = slots[slot + 1] ?? 0;
    if (next !== 0) earlier.set(revision, next - 1);
    slots[slot] = code;
    slots[slot + 1] = revision + 1;
  };
  return {
    get length() {
      return length;
    },
    add(ids, count = ids.length / UUID_BYTES) {
      for (let index = 0; index < count; index += 1) {
        if (2 * length > mask) grow();
        const at = index * UUID_BYTES;
        if (at + UUID_BYTES <= ids.length) put(hash(ids, at), length);
        length += 1;
      }
    },
    *candidates(ids, at) {
      let revision: number | undefined = newest(hash(ids, at));
      for (; revision !== undefined && revision >= 0; revision = earlier.get(revision)) {
        yield revision;
      }
    },
    mayHold: (ids, at) => newest(hash(ids, at)) >= 0,
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
