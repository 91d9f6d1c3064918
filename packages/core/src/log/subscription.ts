import { DEFAULT_PAGE_SIZE, pageSizeOf } from "./paging.ts";
import type {
  StoredEvent,
  SubscribeOptions,
  SubscriptionMessage,
  SubscriptionTarget,
} from "./port.ts";

/** What follows a cursor at one moment. */
export interface FeedPage {
  readonly events: readonly StoredEvent[];
  /** Where the next page begins; at or behind the last of `events`. */
  readonly cursor: number;
}

/**
 * What the loop needs from an adapter. A cursor counts revisions for one stream and positions in
 * the total order for a prefix; -1 is before everything.
 */
export interface SubscriptionFeed {
  /** At most `limit` events behind the cursor, fewer when they are large; none at the end. */
  pageAfter(target: SubscriptionTarget, cursor: number, limit: number): FeedPage;
  /** Registers a subscription; throws `log-closed`. The returned function frees it, once. */
  follow(follower: Follower): () => void;
}

/** An open subscription, as the adapter sees it. */
export interface Follower {
  /** Something may have been appended. */
  wake(): void;
  /** The log was closed. */
  end(): void;
}

/**
 * The one loop behind every subscription: read the page after the cursor; when there is none, say
 * so and wait. A wake that comes at any time after the read began makes it read once more, so
 * there is no seam between stored and live where an event could be lost or doubled.
 */
export function subscription(
  feed: SubscriptionFeed,
  target: SubscriptionTarget,
  options: SubscribeOptions = {},
): AsyncIterableIterator<SubscriptionMessage> {
  const { signal } = options;
  const pageSize = pageSizeOf(options.pageSize ?? DEFAULT_PAGE_SIZE);
  let cursor = cursorOf(options.after);
  let ended = false;
  let stale = true;
  let resume = (): void => {};
  let release = (): void => {};
  const wake = (): void => {
    stale = true;
    resume();
  };
  // Frees all at once: a consumer that ended the subscription may never ask for more.
  const end = (): void => {
    ended = true;
    signal?.removeEventListener("abort", end);
    release();
    resume();
  };

  async function* messages(): AsyncGenerator<SubscriptionMessage, undefined> {
    if (ended || signal?.aborted) return;
    release = feed.follow({ wake, end });
    signal?.addEventListener("abort", end);
    try {
      let behind = true;
      while (!ended) {
        stale = false;
        const page = feed.pageAfter(target, cursor, pageSize);
        cursor = page.cursor;
        if (page.events.length > 0) {
          behind = true;
          yield { kind: "events", events: page.events, checkpoint: String(cursor) };
          continue;
        }
        if (behind) yield { kind: "caught-up" };
        behind = false;
        if (!stale && !ended) {
          await new Promise<void>((resolve) => {
            resume = resolve;
          });
        }
      }
    } finally {
      end();
    }
  }

  const loop = messages();
  return {
    next: () => loop.next(),
    // A generator queues `return` behind a pending `next`, which may wait for ever: end it first.
    return: () => {
      end();
      return loop.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

function cursorOf(after: string | undefined): number {
  if (after === undefined) return -1;
  const cursor = /^\d{1,16}$/.test(after) ? Number(after) : Number.NaN;
  if (Number.isSafeInteger(cursor)) return cursor;
  throw new TypeError(`${JSON.stringify(after)} is not a checkpoint of this log`);
}
