import type { EventLog } from "@palimpsest/core";
import { LogError } from "@palimpsest/core";

export type Interruption = "before it took effect" | "after it took effect";

/** A log whose next append can be made to fail. */
export interface InterruptedLog extends EventLog {
  /** The next append fails with `error`, before or after the store has it. */
  interrupt(when: Interruption, error?: Error): void;
}

/** Wraps a log; the default error is what a lost connection gives: nobody knows what happened. */
export function interruptedLog(log: EventLog): InterruptedLog {
  let next: { readonly when: Interruption; readonly error: Error } | undefined;
  return {
    ...log,
    async append(stream, events, expected) {
      const interruption = next;
      next = undefined;
      if (interruption?.when === "before it took effect") throw interruption.error;
      const result = await log.append(stream, events, expected);
      if (interruption !== undefined) throw interruption.error;
      return result;
    },
    interrupt(when, error = new LogError("outcome-unknown", "the connection was lost")) {
      next = { when, error };
    },
  };
}
