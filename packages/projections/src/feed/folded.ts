import type { LogReader, StoredEvent } from "@palimpsest/core";
import { Observable, ReplaySubject, share } from "rxjs";
import { appendsOf, wholeAppends } from "./appends.ts";
import type { Reducer } from "./reducer.ts";
import { foldNext } from "./reducer.ts";
import type { ResumeOptions } from "./resume.ts";
import { delayBefore, isConnectionLost, pause } from "./resume.ts";

/**
 * A stream folded as it grows: the state once all that is stored was folded, then one state for
 * every append, in order and never in the middle of one.
 *
 * - All subscribers share one fold; a late one gets the present state at once. When the last one
 *   leaves, the log's subscription, timers and the state are let go; a new one begins anew.
 * - The log is read on only after every subscriber has returned, so nothing is queued here.
 * - A lost connection (`store-unavailable`, `outcome-unknown`) is made again after a pause, from
 *   the last revision folded. Subscribers notice nothing but the delay.
 * - Errors: `ProjectionError` and `MissingHistoryError` name the stream and the revision; other
 *   errors of the log are passed on. They end this fold for its subscribers and no other fold;
 *   subscribing again begins anew.
 * - Completes when the log is closed.
 */
export function folded<State>(
  log: LogReader,
  stream: string,
  reducer: Reducer<State>,
  resume: ResumeOptions = {},
): Observable<State> {
  const states = new Observable<State>((subscriber) => {
    const left = new AbortController();
    const follower = new Follower(log, stream, reducer, (state) => subscriber.next(state));
    follower.run(left.signal, resume).then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => left.abort();
  });
  return states.pipe(share({ connector: () => new ReplaySubject<State>(1) }));
}

/** One run of a fold, from the first event until nobody follows any more. */
class Follower<State> {
  readonly #log: LogReader;
  readonly #stream: string;
  readonly #reducer: Reducer<State>;
  readonly #publish: (state: State) => void;
  #state: State;
  /** Revision of the last event folded: always the end of an append. */
  #revision = -1;
  /** Revision that was published last. */
  #published: number | undefined;
  /** The beginning of an append whose end is on the next page. */
  #begun: readonly StoredEvent[] = [];
  #caughtUp = false;
  #attempt = 0;

  constructor(
    log: LogReader,
    stream: string,
    reducer: Reducer<State>,
    publish: (state: State) => void,
  ) {
    this.#log = log;
    this.#stream = stream;
    this.#reducer = reducer;
    this.#publish = publish;
    this.#state = reducer.initial;
  }

  async run(signal: AbortSignal, resume: ResumeOptions): Promise<void> {
    while (!signal.aborted) {
      try {
        return await this.#follow(signal);
      } catch (error) {
        if (signal.aborted) return;
        this.#attempt += 1;
        const delay = isConnectionLost(error) ? delayBefore(this.#attempt, resume) : undefined;
        if (delay === undefined) throw error;
        await pause(delay, signal);
      }
    }
  }

  async #follow(signal: AbortSignal): Promise<void> {
    this.#begun = [];
    const after = this.#revision < 0 ? {} : { after: String(this.#revision) };
    const messages = this.#log.subscribe({ stream: this.#stream }, { ...after, signal });
    for await (const message of messages) {
      if (message.kind === "events") await this.#take(message.events, signal);
      else {
        this.#caughtUp = true;
        if (this.#published !== this.#revision) await this.#show(signal);
      }
      this.#attempt = 0;
    }
  }

  async #take(page: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    const events = this.#begun.length === 0 ? page : [...this.#begun, ...page];
    const whole = wholeAppends(events);
    this.#begun = events.slice(whole);
    if (this.#caughtUp) await this.#foldEach(events, signal);
    else if (whole > 0) this.#fold(events.slice(0, whole));
  }

  async #foldEach(events: readonly StoredEvent[], signal: AbortSignal): Promise<void> {
    for (const append of appendsOf(events)) {
      this.#fold(append);
      await this.#show(signal);
      if (signal.aborted) return;
    }
  }

  #fold(events: readonly StoredEvent[]): void {
    this.#state = foldNext(this.#reducer, this.#state, events, this.#revision);
    this.#revision += events.length;
  }

  async #show(signal: AbortSignal): Promise<void> {
    const missing = this.#reducer.complete?.(this.#state, this.#log);
    if (missing !== undefined) this.#state = await missing;
    if (signal.aborted) return;
    this.#published = this.#revision;
    this.#publish(this.#state);
  }
}
