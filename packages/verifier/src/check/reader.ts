import type { Json, StoredEvent } from "@palimpsest/core/events";

/** How strongly a promise of the store holds (DESIGN §2). */
export type GuaranteeLevel = "store" | "process" | "none";

export interface Guarantees {
  readonly appendOnly: GuaranteeLevel;
  readonly writersSeparated: GuaranteeLevel;
}

/** What the verifier needs of a log to read it; the port's `LogReader` has it all. */
export interface Reader {
  readonly guarantees: Guarantees;
  read(
    stream: string,
    options?: { readonly from?: number; readonly to?: number; readonly pageSize?: number },
  ): AsyncIterable<readonly StoredEvent[]>;
  head(stream: string): Promise<number | undefined>;
}

/** What a subscription delivers. */
export type LogMessage =
  | {
      readonly kind: "events";
      readonly events: readonly StoredEvent[];
      readonly checkpoint: string;
    }
  /** Everything stored up to now was delivered. */
  | { readonly kind: "caught-up" };

/** What it needs to follow one. */
export interface Follower extends Reader {
  subscribe(
    target: { readonly stream: string } | { readonly prefix: string },
    options?: {
      readonly after?: string;
      readonly signal?: AbortSignal;
      readonly pageSize?: number;
    },
  ): AsyncIterable<LogMessage>;
}

/** And to publish verdicts. It writes to streams `verdict-*` only. */
export interface VerdictLog extends Follower {
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
