import type {
  LogReader,
  SubscribeOptions,
  SubscriptionMessage,
  SubscriptionTarget,
} from "@palimpsest/core";
import { Observable } from "rxjs";

/**
 * What a log's subscription delivers, as an Observable: first what is stored, page by page, then
 * `caught-up`, then what is appended from now on. A page stays one value, because taking it apart
 * costs an operator run per event.
 *
 * - Cold: every subscriber has a subscription of its own, from `options.after` on.
 * - The store is read again only when the observers have returned, so a slow one costs no memory;
 *   one that defers its work (`observeOn`, `mergeMap` on a promise) gives that up.
 * - Unsubscribing frees the log's subscription at once, even while it waits for an event.
 * - An error of the log is passed on; `options.signal` and closing the log complete it.
 */
export function storedEvents(
  log: Pick<LogReader, "subscribe">,
  target: SubscriptionTarget,
  options: SubscribeOptions = {},
): Observable<SubscriptionMessage> {
  return new Observable((subscriber) => {
    const unsubscribed = new AbortController();
    const signal =
      options.signal === undefined
        ? unsubscribed.signal
        : AbortSignal.any([options.signal, unsubscribed.signal]);

    const deliver = async (): Promise<void> => {
      for await (const message of log.subscribe(target, { ...options, signal })) {
        if (subscriber.closed) return;
        subscriber.next(message);
      }
    };
    deliver().then(
      () => subscriber.complete(),
      (error: unknown) => subscriber.error(error),
    );
    return () => unsubscribed.abort();
  });
}
