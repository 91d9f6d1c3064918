import type { StoredEvent } from "@palimpsest/core/log";
import { PAGE_TEXT_LIMIT } from "@palimpsest/core/log";
import { receivedIn } from "./decode.ts";
import type { Feed } from "./feed.ts";
import type { Followed } from "./target.ts";

/**
 * How long a page of stored events waits to become full, in milliseconds. It ends when the server
 * says that everything was sent, so only servers that do not say so make anybody wait.
 */
const FILLING = 250;

/** Makes pages of the messages of one connection. */
export class Pages {
  readonly #feed: Feed;
  readonly #followed: Followed;
  readonly #pageSize: number;
  readonly #ending: AbortSignal;
  #caughtUp = false;
  /** Everything that was stored came: what comes now is new, and is handed over at once. */
  isLive = false;

  constructor(feed: Feed, followed: Followed, pageSize: number, ending: AbortSignal) {
    this.#feed = feed;
    this.#followed = followed;
    this.#pageSize = pageSize;
    this.#ending = ending;
  }

  /** True once for each time that the server said so behind the last page. */
  saidCaughtUp(): boolean {
    const said = this.#caughtUp;
    this.#caughtUp = false;
    return said;
  }

  /** What has arrived, up to a page of it; nothing when nothing has. */
  async next(state: { attempt: number; behind: boolean }): Promise<readonly StoredEvent[]> {
    const events: StoredEvent[] = [];
    let bytes = 0;
    while (events.length < this.#pageSize && bytes < PAGE_TEXT_LIMIT && !this.#caughtUp) {
      const message = this.#feed.take();
      if (message === null) {
        if (this.isLive || events.length === 0 || !(await this.#more())) break;
        continue;
      }
      state.attempt = 0;
      if (message.hasCaughtUp()) {
        this.#caughtUp = true;
        this.isLive = true;
      } else if (message.hasFellBehind()) {
        state.behind = true;
        this.isLive = false;
      }
      const checkpoint = message.getCheckpoint();
      if (checkpoint !== undefined) {
        this.#followed.passed({
          commit: BigInt(checkpoint.getCommitPosition()),
          prepare: BigInt(checkpoint.getPreparePosition()),
        });
      }
      const received = receivedIn(message);
      if (received === undefined) continue;
      this.#followed.advance(received);
      events.push(received.event);
      bytes += received.bytes;
    }
    return events;
  }

  /** Waits a moment for the rest of a page; false when none came. */
  async #more(): Promise<boolean> {
    await this.#feed.change(this.#ending, FILLING);
    return this.#feed.hasMore;
  }
}
