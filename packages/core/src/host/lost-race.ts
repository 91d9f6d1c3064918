import { backoff, pause } from "../log/waiting.ts";

/** How a window waits. Tests give one that counts and takes no time. */
export interface Waiting {
  /** Resolves after so many milliseconds, a fraction perhaps. */
  readonly sleep: (milliseconds: number) => Promise<void>;
  /** The next random number, from 0 to below 1. */
  readonly random: () => number;
}

/** Waits by the timers of the system. */
export const realWaiting: Waiting = { sleep: pause, random: Math.random };

/** Milliseconds: about what a small append takes, and what nobody at a terminal notices. */
const BOUNDS = { first: 4, most: 100 };

/**
 * Waits before a command is decided again because another writer appended first; `lost` is how
 * many races it lost before this one. Two writers that take equally long to decide are in step:
 * the one that lost would come to its next append when the other does, and lose again and again.
 * A pause that each draws for itself breaks the step, and one that doubles thins out a crowd.
 */
export function pauseAfterLostRace(lost: number, { sleep, random }: Waiting): Promise<void> {
  return sleep(backoff(lost, BOUNDS, random));
}
