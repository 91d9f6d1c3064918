import type { EventLog, LogReader, SubscriptionMessage } from "@palimpsest/core";
import type { Observable } from "rxjs";
import { expectTypeOf, it } from "vitest";
import { storedEvents } from "./stored-events.ts";

declare const reader: LogReader;
declare const log: EventLog;

it("takes a handle that cannot write as well as one that can", () => {
  expectTypeOf(storedEvents(reader, { stream: "window-w1" })).toEqualTypeOf<
    Observable<SubscriptionMessage>
  >();
  expectTypeOf(storedEvents(log, { prefix: "window-" })).toEqualTypeOf<
    Observable<SubscriptionMessage>
  >();
});

it("follows one stream or a prefix, not both", () => {
  // @ts-expect-error: neither
  storedEvents(reader, {});
  expectTypeOf(storedEvents)
    .parameter(1)
    .toEqualTypeOf<{ readonly stream: string } | { readonly prefix: string }>();
});
