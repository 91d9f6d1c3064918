import type {
  LogReader,
  StoredEvent,
  SubscribeOptions,
  SubscriptionMessage,
} from "@palimpsest/core";
import type { Observable } from "rxjs";

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
 * window's stream; the verdict stream is empty. It ends when the Observable completes.
 */
export function scriptedLog(
  connect: (after: string | undefined) => Observable<Said>,
  stored: readonly StoredEvent[] = [],
): ScriptedLog {
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
          yield caughtUp;
          await ended(options.signal);
          return;
        }
        log.resumed.push(options.after);
        yield* messagesOf(connect(options.after), options.signal);
      } finally {
        log.open -= 1;
      }
    },
    close: async () => {},
  };
  return log;
}

function ended(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      signal?.removeEventListener("abort", end);
      resolve();
    };
    if (signal?.aborted) end();
    signal?.addEventListener("abort", end);
  });
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
