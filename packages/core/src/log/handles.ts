import { LogError } from "./errors.ts";
import type { EventLog, LogReader } from "./port.ts";

/** A handle without any `append`, for whoever may only read. Closing it leaves `log` open. */
export function readerOf(log: LogReader): LogReader {
  const closing = new AbortController();
  const use = (): LogReader => {
    if (closing.signal.aborted) throw new LogError("log-closed", "the handle was closed");
    return log;
  };
  return {
    guarantees: log.guarantees,
    maxAppendBytes: log.maxAppendBytes,
    async *read(stream, options) {
      for await (const page of use().read(stream, options)) {
        use();
        yield page;
      }
    },
    head: async (stream) => use().head(stream),
    subscribe(target, options) {
      if (closing.signal.aborted) return refused(use);
      const signals = [closing.signal, ...(options?.signal ? [options.signal] : [])];
      return log.subscribe(target, { ...options, signal: AbortSignal.any(signals) });
    },
    async close() {
      closing.abort();
    },
  };
}

/** A handle that appends only to streams whose name starts with `prefix`. */
export function writerOf(log: EventLog, prefix: string): EventLog {
  const reader = readerOf(log);
  let closed = false;
  return {
    ...reader,
    async append(stream, events, expected) {
      if (closed) throw new LogError("log-closed", "the handle was closed");
      if (!stream.startsWith(prefix)) {
        throw new TypeError(
          `this handle writes only to ${prefix}*, not to ${JSON.stringify(stream)}`,
        );
      }
      return log.append(stream, events, expected);
    },
    async close() {
      closed = true;
      await reader.close();
    },
  };
}

/** Rejects when it is iterated, as everything else in the port rejects rather than throws. */
// biome-ignore lint/correctness/useYield: there is nothing to yield before `refuse` throws.
async function* refused(refuse: () => unknown): AsyncGenerator<never, undefined> {
  refuse();
}
