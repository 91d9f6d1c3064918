import type {
  SubscribeOptions,
  SubscriptionMessage,
  SubscriptionTarget,
} from "@palimpsest/core/log";
import { DEFAULT_PAGE_SIZE, pageSizeOf, pause } from "@palimpsest/core/log";
import type { Connection } from "./connection.ts";
import { kindOf, logErrorOf } from "./failures.ts";
import { Feed } from "./feed.ts";
import { Pages } from "./pages.ts";
import type { Followed } from "./target.ts";
import { follow } from "./target.ts";
import { retryDelay } from "./waiting.ts";

/** Where `subscribe` gets at its log. */
export interface SubscriptionPlace {
  readonly connection: Connection;
  /** Throws `log-closed`. */
  use(): void;
  /** Aborted when the handle is closed. */
  readonly closing: AbortSignal;
}

/** How long nothing must arrive before the server is asked whether there is more. */
const QUIET = 20;
const LONGEST_QUIET = 1_000;

/**
 * The server pushes, its flow control waits for the consumer. What is lost with a connection is
 * asked for again behind the last event that was delivered, so nothing is missed or seen twice.
 */
export function subscribe(
  place: SubscriptionPlace,
  target: SubscriptionTarget,
  options: SubscribeOptions = {},
): AsyncIterableIterator<SubscriptionMessage> {
  const pageSize = pageSizeOf(options.pageSize ?? DEFAULT_PAGE_SIZE);
  const followed = follow(place.connection, target, options.after);
  const returned = new AbortController();
  const signals = [returned.signal, place.closing, ...(options.signal ? [options.signal] : [])];
  const ending = AbortSignal.any(signals);
  const loop = messages(place, followed, pageSize, ending, options.signal);
  return {
    next: () => loop.next(),
    // A generator queues `return` behind a pending `next`, which may wait for ever: end it first.
    return: () => {
      returned.abort();
      return loop.return(undefined);
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

async function* messages(
  place: SubscriptionPlace,
  followed: Followed,
  pageSize: number,
  ending: AbortSignal,
  signal: AbortSignal | undefined,
): AsyncGenerator<SubscriptionMessage, undefined> {
  if (signal?.aborted) return;
  place.use();
  const state: FollowState = { behind: true, attempt: 0 };
  while (!ending.aborted) {
    let feed: Feed | undefined;
    try {
      feed = new Feed(await place.connection.follow(followed.request()));
      yield* untilOver(feed, followed, pageSize, state, ending);
    } catch (error) {
      // A fault in a program, or a name that is not UTF-8: trying again would not end.
      if (error instanceof TypeError) throw error;
      const kind = kindOf(error);
      if (!ending.aborted && kind !== "lost" && kind !== "not-leader") {
        throw logErrorOf(error, "subscribe");
      }
    } finally {
      feed?.close();
    }
    await pause(retryDelay(state.attempt++), ending);
  }
}

interface FollowState {
  /** Something may be stored that was not delivered. */
  behind: boolean;
  /** Connections lost since a message last came. */
  attempt: number;
}

/** The messages of one connection. */
async function* untilOver(
  feed: Feed,
  followed: Followed,
  pageSize: number,
  state: FollowState,
  ending: AbortSignal,
): AsyncGenerator<SubscriptionMessage, undefined> {
  const pages = new Pages(feed, followed, pageSize, ending);
  let quiet = QUIET;
  while (!ending.aborted) {
    const events = await pages.next(state);
    if (events.length > 0) {
      state.behind = true;
      quiet = QUIET;
      yield { kind: "events", events, checkpoint: followed.checkpoint ?? "" };
      continue;
    }
    if (ending.aborted) return;
    if (pages.saidCaughtUp() && state.behind) {
      state.behind = false;
      yield { kind: "caught-up" };
      continue;
    }
    if (feed.isOver) return;
    await feed.change(ending, state.behind ? quiet : undefined);
    if (!state.behind || feed.hasMore || ending.aborted || feed.isOver) continue;
    // Some servers never say it of a stream that does not exist, and none says it twice.
    if ((await followed.isAtEnd()) && !feed.hasMore) {
      state.behind = false;
      pages.isLive = true;
      yield { kind: "caught-up" };
    }
    quiet = Math.min(LONGEST_QUIET, quiet * 2);
  }
}
