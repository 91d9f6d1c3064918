import type { EventLog, LogReader } from "./port.ts";

/** A handle that has no `append` at all, for whoever may only read. Closing it leaves `log` open. */
export function readerOf(log: LogReader): LogReader {
  return {
    guarantees: log.guarantees,
    maxAppendBytes: log.maxAppendBytes,
    read: (stream, options) => log.read(stream, options),
    head: (stream) => log.head(stream),
    subscribe: (target, options) => log.subscribe(target, options),
    close: () => Promise.resolve(),
  };
}

/** A handle that appends only to streams whose name starts with `prefix`. */
export function writerOf(log: EventLog, prefix: string): EventLog {
  return {
    ...readerOf(log),
    append: (stream, events, expected) => {
      if (!stream.startsWith(prefix)) {
        throw new TypeError(`this handle writes ${prefix}* only, not ${JSON.stringify(stream)}`);
      }
      return log.append(stream, events, expected);
    },
  };
}
