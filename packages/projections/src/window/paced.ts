import type { ObservableInput, OperatorFunction } from "rxjs";
import { defer, Observable } from "rxjs";
import type { LiveWindow } from "./live-window.ts";

/**
 * For a subscriber that needs time. `work` is given one window after another, the next only when
 * the Observable or promise it returned has completed, and then the latest one: its `changes` are
 * those of all that came meanwhile, merged. Nothing is queued and no change is left out.
 *
 * The results of `work` are passed on. Completes when the source has completed and the last window
 * was worked on; an error of the source or of `work` ends it at once.
 */
export function paced<Result>(
  work: (window: LiveWindow) => ObservableInput<Result>,
): OperatorFunction<LiveWindow, Result> {
  return (source) =>
    new Observable((subscriber) => {
      let latest: LiveWindow | undefined;
      let given: LiveWindow | undefined;
      let busy = false;
      let ended = false;
      const proceed = (): void => {
        if (busy) return;
        if (latest === undefined) {
          if (ended) subscriber.complete();
          return;
        }
        const window = latest.since(given);
        given = latest;
        latest = undefined;
        busy = true;
        const task = defer(() => work(window)).subscribe({
          next: (result) => subscriber.next(result),
          error: (error) => subscriber.error(error),
          complete: () => {
            busy = false;
            proceed();
          },
        });
        subscriber.add(task);
      };
      subscriber.add(
        source.subscribe({
          next: (window) => {
            latest = window;
            proceed();
          },
          error: (error) => subscriber.error(error),
          complete: () => {
            ended = true;
            proceed();
          },
        }),
      );
    });
}
