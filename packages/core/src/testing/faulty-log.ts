import { LogError } from "../log/errors.ts";
import type { EventLog } from "../log/port.ts";

export interface Fault {
  /** Which call of `append` fails, counted from 0. A retry is a call of its own. */
  readonly append: number;
  /** Whether it fails before or after it took effect. */
  readonly when: "before" | "after";
}

/**
 * A log whose connection is lost during the appends that `plan` names. Both kinds of fault look
 * the same from outside, as they do over a network: `outcome-unknown`.
 */
export function faultyLog(log: EventLog, plan: readonly Fault[]): EventLog {
  let calls = 0;
  return {
    guarantees: log.guarantees,
    maxAppendBytes: log.maxAppendBytes,
    async append(stream, events, expected) {
      const call = calls++;
      const faults = plan.filter((fault) => fault.append === call).map((fault) => fault.when);
      const lost = () => new LogError("outcome-unknown", `the connection was lost in call ${call}`);
      if (faults.includes("before")) throw lost();
      const result = await log.append(stream, events, expected);
      if (faults.includes("after")) throw lost();
      return result;
    },
    read: (stream, options) => log.read(stream, options),
    head: (stream) => log.head(stream),
    subscribe: (target, options) => log.subscribe(target, options),
    close: () => log.close(),
  };
}
