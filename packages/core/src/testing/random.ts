/** Numbers that look random and are the same for the same seed. Not for secrets. */
export interface SeededRandom {
  readonly seed: number;
  /** From 0, below 1. */
  next(): number;
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  /** A whole number from `low` to `high`, both of them included. */
  between(low: number, high: number): number;
  /** One of the items; throws a RangeError when there is none. */
  pick<T>(items: readonly T[]): T;
}

/**
 * Mulberry32, by Tommy Ettinger
 * (https://gist.github.com/tommyettinger/46a874533244883189143505d203312c), with 32 bits of state.
 * Fixtures and published figures were made with its numbers, so they stay as they are.
 */
export function seededRandom(seed: number): SeededRandom {
  let state = seed | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    seed,
    next,
    below,
    between: (low, high) => low + below(high - low + 1),
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new RangeError("there is nothing to pick from");
      return item;
    },
  };
}
