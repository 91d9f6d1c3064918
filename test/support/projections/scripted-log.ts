import type {
  LogReader,
  StoredEvent,
  SubscribeOptions,
  SubscriptionMessage,
} from "@palimpsest/core";
import type { Observable } from "rxjs";
import { concat, NEVER, of, Subject, takeUntil, tap } from "rxjs";

/** What a connection says: a message, or the error it breaks with. */
export type Said = SubscriptionMessage | Error;

export interface ScriptedLog extends LogReader {
  /** The `after` of every subscription to the window's stream, in order. */
  readonly resumed: (string | undefined)[];
  /** Subscriptions that are open now, to any stream. */
  open: number;
}

export const caughtUp: SubscriptionMessage = { kind: "caught-up" };

export function page(events: readonly StoredEvent[]): SubscriptionMessage {
  return { kind: "events", events, checkpoint: String(events.at(-1)?.revision ?? -1) };
}

/**
 * A log that says what it is told. `connect` gives the messages of the next subscription to a
 * window's stream, and `verdicts` those of the verdict stream, which is empty unless said
 * otherwise. When a window's Observable completes, the log was closed.
 */
export function scriptedLog(
  connect: (after: string | undefined) => Observable<Said>,
  stored: readonly StoredEvent[] = [],
  verdicts: Observable<Said> = concat(of(caughtUp), NEVER),
): ScriptedLog {
  const closing = new Subject<void>();
  const log: ScriptedLog = {
    resumed: [],
    open: 0,
    guarantees: { appendOnly: "process", writersSeparated: "process" },
    maxAppendBytes: 1_000_000,
    async *read(_stream, { from = 0, to = stored.length } = {}) {
      yield stored.filter(({ revision }) => from <= revision && revision <= to);
    },
    head: async () => stored.at(-1)?.revision,
    async *subscribe(target, options: SubscribeOptions = {}) {
      log.open += 1;
      try {
        if (!("stream" in target) || target.stream.startsWith("verdict-")) {
          yield* messagesOf(verdicts.pipe(takeUntil(closing)), options.signal);
          return;
        }
        log.resumed.push(options.after);
        const close = (): void => closing.next();
        yield* messagesOf(connect(options.after).pipe(tap({ complete: close })), options.signal);
      } finally {
        log.open -= 1;
      }
    },
    close: async () => {},
  };
  return log;
}

/** What an Observable gives, as the pull-based iteration that a log has. */
async function* messagesOf(
  said: Observable<Said>,
  signal: AbortSignal | undefined,
): AsyncGenerator<SubscriptionMessage> {
  const queue: Said[] = [];
  let done = false;
  let wake = (): void => {};
  const finish = (): void => {
    done = true;
    wake();
  };
  const subscription = said.subscribe({
    next: (message) => {
      queue.push(message);
      wake();
    },
    complete: finish,
  });
  signal?.addEventListener("abort", finish);
  try {
    while (!signal?.aborted) {
      const message = queue.shift();
      if (message instanceof Error) throw message;
      if (message !== undefined) yield message;
      else if (done) return;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
  } finally {
    signal?.removeEventListener("abort", finish);
    subscription.unsubscribe();
  }
}
