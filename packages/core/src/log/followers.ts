import type { Follower } from "./subscription.ts";

/** The open subscriptions of one handle. */
export interface Followers {
  /** Returns the function that takes the follower out again. */
  add(follower: Follower): () => void;
  wakeAll(): void;
  endAll(): void;
}

/** `onFirst` runs when somebody starts to follow, `onNone` when nobody does any more. */
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
