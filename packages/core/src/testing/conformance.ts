import type { EventLog, LogReader } from "../log/port.ts";
import { runCase } from "./cases.ts";
import { appendCases } from "./conformance-append.ts";
import { contentCases } from "./conformance-content.ts";
import { endingCases } from "./conformance-ending.ts";
import { faultCases } from "./conformance-faults.ts";
import { handleCases, ownReaderCases, secondHandleCases } from "./conformance-handles.ts";
import { idempotencyCases } from "./conformance-idempotency.ts";
import { readCases } from "./conformance-read.ts";
import { subscribeCases } from "./conformance-subscribe.ts";

/**
 * The two functions of a test framework that the suite needs; those of Vitest, Jest, Mocha and
 * node:test all fit. They are handed in, and the assertions are Node's own, so that an author of
 * an adapter needs no framework because we use it.
 */
export interface TestFunctions {
  describe(name: string, body: () => void): unknown;
  it(name: string, body: () => Promise<void>): unknown;
}

export interface LogConformanceOptions {
  /** What the adapter is called in the names of the tests. */
  readonly name: string;
  readonly test: TestFunctions;
  /** A handle on a store that holds no stream the suite knows. The suite closes it. */
  open(): EventLog | Promise<EventLog>;
  /** A second handle on the store of `log`, where the adapter has such a thing. */
  openAgain?(log: EventLog): EventLog | Promise<EventLog>;
  /** The adapter's own handle that only reads, on the store of `log`. */
  openReader?(log: EventLog): LogReader | Promise<LogReader>;
}

/** Defines a test for each sentence of the log port's comments. */
export function logConformance(options: LogConformanceOptions): void {
  const groups = {
    append: appendCases,
    "append is idempotent": idempotencyCases,
    "append under faults": faultCases,
    read: readCases,
    content: contentCases,
    subscribe: subscribeCases,
    "the end of a subscription": endingCases,
    handles: handleCases,
    ...(options.openAgain && { "a second handle": secondHandleCases }),
    ...(options.openReader && { "the adapter's reader": ownReaderCases }),
  };
  const { describe, it } = options.test;
  describe(`the log port on ${options.name}`, () => {
    for (const [group, cases] of Object.entries(groups)) {
      describe(group, () => {
        for (const [name, run] of Object.entries(cases)) it(name, () => runCase(options, run));
      });
    }
  });
}
