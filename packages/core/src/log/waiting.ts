/** Resolves after so many milliseconds, or at once when `signal` is aborted. */
export async function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, milliseconds);
  const stop = (): void => resolve();
  signal?.addEventListener("abort", stop);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Between which waits a backoff moves, in milliseconds. */
export interface BackoffBounds {
  /** The longest wait after the first failure; it doubles with each further one. */
  readonly first: number;
  /** The longest wait after any number of failures. */
  readonly most: number;
}

/**
 * Milliseconds to wait after a failed attempt, counted from 0: a bound that doubles each time, and
 * of that a part between nothing and all, drawn anew (full jitter), so that many who failed at one
 * moment do not come back at one moment. `random` gives numbers from 0 to below 1.
 */
export function backoff(
  attempt: number,
  { first, most }: BackoffBounds,
  random: () => number = Math.random,
): number {
  return random() * Math.min(most, first * 2 ** attempt);
}
