import type { EventLog } from "@palimpsest/core";
import { LogError } from "@palimpsest/core";

/** Wraps a log so that it takes appends of at most `maxAppendBytes`, as a remote store would. */
export function limitedLog(log: EventLog, maxAppendBytes: number): EventLog {
  return {
    ...log,
    maxAppendBytes,
    async append(stream, events, expected) {
      const bytes = Buffer.byteLength(JSON.stringify(events));
      if (bytes > maxAppendBytes) {
        const problem = `the append has ${bytes} bytes, and this log takes at most ${maxAppendBytes}`;
        throw new LogError("append-too-large", problem);
      }
      return log.append(stream, events, expected);
    },
  };
}
