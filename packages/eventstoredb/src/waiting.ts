import { backoff } from "@palimpsest/core/log";

/** A server that restarts, or a cluster that elects, takes seconds. */
const BOUNDS = { first: 50, most: 5_000 };

/** Milliseconds to wait before a call is tried again, its failures counted from 0. */
export function retryDelay(attempt: number): number {
  return backoff(attempt, BOUNDS);
}
