import type { Follower } from "./subscription.ts";

/** The open subscriptions of one handle. */
export interface Followers {
  /** Returns the function that takes the follower out again. */
  add(follower: Follower): () => void;
  /** Tells all of them that something may have been appended. */
  wakeAll(): void;
  /** Tells all of them that the log was closed. */
  endAll(): void;
}

/**
 * Keeps the open subscriptions of one handle. `onFirst` runs when somebody starts to follow,
 * `onNone` when nobody does any more.
 */
export function createFollowers(
  onFirst: () => void = () => {},
  onNone: () => void = () => {},
): Followers {
  const followers = new Set<Follower>();
  return {
    add(follower) {
      if (followers.size === 0) onFirst();
      followers.add(follower);
      return () => {
        if (followers.delete(follower) && followers.size === 0) onNone();
      };
    },
    wakeAll() {
      for (const follower of followers) follower.wake();
    },
    endAll() {
      for (const follower of followers) follower.end();
    },
  };
}
