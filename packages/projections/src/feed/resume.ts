import { isLogError } from "@palimpsest/core";

/** How a projection comes back to a log whose connection was lost. */
export interface ResumeOptions {
  /** Pause before the first attempt, in milliseconds; it doubles with every attempt. Default 50. */
  readonly firstDelay?: number;
  /** Longest pause, in milliseconds. Default 5,000. */
  readonly maxDelay?: number;
  /** Attempts in a row before the error is passed on. Default: without end. */
  readonly attempts?: number;
}

/** True for what may be over in a moment; everything else is a fact about the store. */
export function isConnectionLost(error: unknown): boolean {
  return isLogError(error, "store-unavailable") || isLogError(error, "outcome-unknown");
}

/** Milliseconds before attempt `attempt`, counted from 1; undefined for one too many. */
export function delayBefore(attempt: number, options: ResumeOptions): number | undefined {
  const { firstDelay = 50, maxDelay = 5_000, attempts = Number.POSITIVE_INFINITY } = options;
  return attempt > attempts ? undefined : Math.min(maxDelay, firstDelay * 2 ** (attempt - 1));
}

/** Resolves after `delay` milliseconds, or at once when `signal` ends it; leaves nothing behind. */
export function pause(delay: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, delay);
    signal.addEventListener("abort", end);
  });
}
