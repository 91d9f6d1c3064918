import type { EventLog, EventToAppend } from "@palimpsest/core";

/** Changes what an append stores; the events keep their number and their order. */
export type Fault = (events: readonly EventToAppend[]) => readonly EventToAppend[];

/**
 * A library with a deliberate fault: what it decided and believes is right, what it wrote is not.
 * The window's own handle folds what it decided and never sees the difference.
 */
export function faultyCore(log: EventLog, fault: Fault): EventLog {
  return {
    ...log,
    append: (stream, events, expected) => log.append(stream, fault(events), expected),
  };
}
