import type { Json, StoredEvent } from "@palimpsest/core/events";

/**
 * Who refuses to break a promise (design §2): the store, across processes; this process, by its
 * types; or nobody.
 */
export type GuaranteeLevel = "store" | "process" | "none";

/** What a log promises. */
export interface Guarantees {
  /** That nobody changes or deletes what was appended. */
  readonly appendOnly: GuaranteeLevel;
  /** That only the host writes to windows, and only the verifier to verdicts. */
  readonly writersSeparated: GuaranteeLevel;
}

/** What the verifier needs of a log to read it; the port's `LogReader` has it all. */
export interface Reader {
  readonly guarantees: Guarantees;
  /** The events of a stream in order, in pages; none for a stream that does not exist. */
  read(
    stream: string,
    options?: {
      /** First revision wanted. Default 0. */
      readonly from?: number;
      /** Last revision wanted, included. Default: the head. */
      readonly to?: number;
      /** Most events in a page. Default: what suits the log. */
      readonly pageSize?: number;
    },
  ): AsyncIterable<readonly StoredEvent[]>;
  /** Revision of the last event; undefined for a stream that does not exist. */
  head(stream: string): Promise<number | undefined>;
}

/** What a subscription delivers. */
export type LogMessage =
  | {
      readonly kind: "events";
      /** In the order of the store; at least one. */
      readonly events: readonly StoredEvent[];
      /** Where a later subscription goes on behind these events; opaque. */
      readonly checkpoint: string;
    }
  /** Everything stored up to now was delivered. */
  | { readonly kind: "caught-up" };

/** What the verifier needs of a log to follow it. */
export interface Follower extends Reader {
  /** The events of a stream, or of all streams with a prefix: what is stored first, then live. */
  subscribe(
    target: { readonly stream: string } | { readonly prefix: string },
    options?: {
      /** The checkpoint to go on behind. Default: the beginning. */
      readonly after?: string;
      /** Ends the subscription. */
      readonly signal?: AbortSignal;
      /** Most events in a message. Default: what suits the log. */
      readonly pageSize?: number;
    },
  ): AsyncIterable<LogMessage>;
}

/** What the verifier needs of a log to publish verdicts. It writes to streams `verdict-*` only. */
export interface VerdictLog extends Follower {
  /**
   * Appends all events or none. `expected`: the revision of the last event of the stream. Throws
   * an error with a `code` of the log port; a retry with the same ids appends nothing twice.
   */
  append(
    stream: string,
    events: readonly {
      readonly id: string;
      readonly type: string;
      readonly data: Json;
      readonly metadata: Json;
    }[],
    expected: number | "no-stream",
  ): Promise<unknown>;
}
