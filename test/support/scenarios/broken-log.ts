import type { EventLog } from "@palimpsest/core";
import { LogError } from "@palimpsest/core";
import type { Fault } from "@palimpsest/core/testing";

/**
 * Wraps a log whose first append fails for good, before or after it took effect: unlike
 * `faultyLog`, with an error that nobody retries, as when the disk is gone or the process dies.
 */
export function brokenLog(log: EventLog, when: Fault["when"]): EventLog {
  let failed = false;
  return {
    ...log,
    async append(stream, events, expected) {
      const fails = !failed;
      failed = true;
      if (fails && when === "before") throw gone();
      const result = await log.append(stream, events, expected);
      if (fails) throw gone();
      return result;
    },
  };
}

function gone(): LogError {
  return new LogError("store-unavailable", "the disk is gone");
}
