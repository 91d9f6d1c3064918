/** Random numbers that a seed repeats. Not for secrets. */
export interface SeededRandom {
  readonly seed: number;
  /** From 0, below 1. */
  next(): number;
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
}

/** Marsaglia's xorshift with 32 bits ("Xorshift RNGs", 2003), the triple 13, 17, 5. */
export function seededRandom(seed: number): SeededRandom {
  let state = seed >>> 0 || 1;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return state / 2 ** 32;
  };
  return { seed, next, below: (limit) => Math.floor(next() * limit) };
}
