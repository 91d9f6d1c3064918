import type { Json } from "../json/json.ts";

/**
 * The log port: the only way events are stored and read. It has no delete, no truncate, no
 * overwrite and no `force`, and an adapter must not add one.
 */

/** How strongly a promise of the log holds; `none` caps every edit's status at `provisional`. */
export type GuaranteeLevel = "store" | "process" | "none";

/** What a handle promises, and who keeps the promise. */
export interface Guarantees {
  /** Who refuses to change or remove an event: the store, this process's types, or nobody. */
  readonly appendOnly: GuaranteeLevel;
  /** Who keeps writers of `window-*` and `verdict-*` apart. */
  readonly writersSeparated: GuaranteeLevel;
}

/** An event as it is handed to `append`. `data` and `metadata` are JSON values. */
export interface EventToAppend {
  /**
   * A UUID in lower case. The same id in the same stream is the same event, for ever; in another
   * stream it is another event.
   */
  readonly id: string;
  /** What kind of event it is: well-formed text, not empty. */
  readonly type: string;
  /** What happened. */
  readonly data: Json;
  /** Who did it, when, and by which command. */
  readonly metadata: Json;
}

/** An event as the store holds it. */
export interface StoredEvent extends EventToAppend {
  /** Name of its stream. */
  readonly stream: string;
  /** Place in its stream, from 0, without gaps. */
  readonly revision: number;
  /**
   * The stored bytes of an event that does not decode as JSON (text that somebody put there past
   * this library): the length of the data in decimal digits, a colon, the bytes of the data, the
   * bytes of the metadata. Where those of several events cannot be told apart, the first has them
   * all and the others have none. `data` and `metadata` are null then. A reader that cannot go on
   * without the event stops with `event-undecodable`; an auditor reports it.
   */
  readonly undecodable?: Uint8Array;
}

/** What the stream must look like for the append; a number is the revision of its head. */
export type ExpectedRevision = number | "no-stream" | "any";

/** Where the events of an append are. */
export interface AppendResult {
  /** Revision of the first event of this append. */
  readonly first: number;
  /** Revision of the last one, which was the stream's head when the append happened. */
  readonly last: number;
  /**
   * True when the store had this very append already and wrote nothing. `unknown`: it holds these
   * ids at this place now, and does not say whether another handle put them there a moment before.
   */
  readonly repeated: boolean | "unknown";
}

/** Which part of a stream `read` gives, and in which portions. */
export interface ReadOptions {
  /** First revision to read, inclusive. Default 0. */
  readonly from?: number;
  /** Last revision to read, inclusive. Default: the head when the page is read. */
  readonly to?: number;
  /** Most events in one page. Default 1,000; a page may also end early at a byte limit. */
  readonly pageSize?: number;
}

/** One stream by name, or every stream whose name starts with `prefix`. */
export type SubscriptionTarget = { readonly stream: string } | { readonly prefix: string };

/** Where `subscribe` begins, how it ends, and in which portions it gives events. */
export interface SubscribeOptions {
  /**
   * Where to resume, exclusive: the `checkpoint` of a message seen earlier. Absent: from the
   * beginning. For a single stream the checkpoint is the decimal revision.
   */
  readonly after?: string;
  /** Ends the subscription; the iteration then completes without an error. */
  readonly signal?: AbortSignal;
  /** Most events in one message. Default 1,000. */
  readonly pageSize?: number;
}

/** What a subscription gives: a page of events, or that there are none for now. */
export type SubscriptionMessage =
  | {
      readonly kind: "events";
      /** In order; of one stream by revision, of a prefix in the store's total order. */
      readonly events: readonly StoredEvent[];
      /** Resume `after` this once the events are handled. */
      readonly checkpoint: string;
    }
  /** Everything stored up to now was delivered; again whenever the subscriber had fallen behind. */
  | { readonly kind: "caught-up" };

/** The half of the port that cannot write: what readers, projections and auditors are given. */
export interface LogReader {
  /** How strongly the log holds what it promises. */
  readonly guarantees: Guarantees;
  /** Upper limit, in bytes of stored JSON, for all events of one append together. */
  readonly maxAppendBytes: number;
  /**
   * Pages of events in ascending revision, none of them empty; no page for a stream that does not
   * exist. Every page is a consistent read; an append that lands between two pages is seen whole
   * or not at all only as far as `to` says: an append may straddle two pages (its events carry
   * `index` and `count`).
   */
  read(stream: string, options?: ReadOptions): AsyncIterable<readonly StoredEvent[]>;
  /** Revision of the last event, or undefined for a stream that does not exist. */
  head(stream: string): Promise<number | undefined>;
  /**
   * Catches up, then follows. Pull-based: the store is read when the consumer asks for more, so a
   * slow consumer costs no memory and sees every event once, in order, without gap or duplicate
   * at the seam between stored and live. Ending the iteration (or `signal`) frees everything.
   */
  subscribe(
    target: SubscriptionTarget,
    options?: SubscribeOptions,
  ): AsyncIterable<SubscriptionMessage>;
  /** Frees the handle. Open subscriptions end; later calls reject with `log-closed`. */
  close(): Promise<void>;
}

/** The whole port: a reader that can also append. */
export interface EventLog extends LogReader {
  /**
   * Appends all events or none, durably, as one unit.
   *
   * - The head is not where `expected` says: rejects with `wrong-expected-revision`.
   * - Idempotent by event id: when the stream already holds exactly these ids, one after another,
   *   the earlier result comes back with `repeated: true`, whatever `expected` says. When it holds
   *   some of them, or in another order: `event-id-conflict`, nothing is written.
   * - More than `maxAppendBytes`: `append-too-large`. No events, an id that is not a UUID, a value
   *   that is not JSON, an empty name or a lone surrogate in one: `invalid-append`. One id twice:
   *   `event-id-conflict`.
   * - The events are turned into text before `append` returns its promise, so that the caller may
   *   go on changing what it handed over.
   * - After `outcome-unknown` (connection lost under way) the caller retries the same events.
   */
  append(
    stream: string,
    events: readonly EventToAppend[],
    expected: ExpectedRevision,
  ): Promise<AppendResult>;
}
