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

/**
 * Milliseconds to wait after a failed attempt, counted from 0: doubled each time, with full jitter,
 * so that many who lost one server do not come back at one moment.
 */
export function backoff(attempt: number): number {
  return Math.random() * Math.min(5_000, 50 * 2 ** attempt);
}
