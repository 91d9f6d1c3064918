import type { Observable, Subscription } from "rxjs";
import { TestScheduler } from "rxjs/testing";
import { expect } from "vitest";

/** Virtual milliseconds of one character of a marble diagram. */
const FRAME = 10;

/** What happened on an Observable, and when. */
type Recorded = { frame: number; notification: unknown };

/**
 * Marble tests for Observables that are fed by a log. A log answers by promises, which a
 * TestScheduler alone never waits for; so virtual time goes on by one frame at a time, and between
 * two frames everything settles that real time can settle.
 */
export class Marbles {
  readonly #scheduler = new TestScheduler(() => undefined);
  readonly #starts = new Map<number, (() => void)[]>();
  readonly #checks: (() => void)[] = [];
  #frame = 0;

  /** A source in virtual time. */
  hot<Value>(marbles: string, values: Readonly<Record<string, Value>>): Observable<Value> {
    return this.#scheduler.createHotObservable<Value>(marbles, { ...values });
  }

  /**
   * Expects `marbles` on the Observable, `brief` standing for each of its values. `subscription`
   * says from when (`^`) to when (`!`) there is a subscriber.
   */
  expect<Value>(
    observable: Observable<Value>,
    { subscription = "^", brief }: { subscription?: string; brief: (value: Value) => unknown },
    marbles: string,
    values: Readonly<Record<string, unknown>>,
    error?: unknown,
  ): void {
    const seen: Recorded[] = [];
    let subscriber: Subscription | undefined;
    const add = (notification: unknown) => seen.push({ frame: this.#frame, notification });
    this.#at(subscription.indexOf("^"), () => {
      subscriber = observable.subscribe({
        next: (value) => add({ kind: "N", value: brief(value), error: undefined }),
        error: (reason) => add({ kind: "E", value: undefined, error: reason }),
        complete: () => add({ kind: "C", value: undefined, error: undefined }),
      });
    });
    const end = subscription.indexOf("!");
    if (end >= 0) this.#at(end, () => subscriber?.unsubscribe());
    const expected = TestScheduler.parseMarbles(marbles, { ...values }, error);
    this.#checks.push(() => {
      subscriber?.unsubscribe();
      expect(seen).toEqual(expected);
    });
  }

  /** Lets `frames` characters of time pass, then checks all expectations. */
  async run(frames: number): Promise<void> {
    for (let i = 0; i <= frames; i += 1) {
      this.#frame = i * FRAME;
      for (const start of this.#starts.get(i) ?? []) start();
      await settle();
      this.#scheduler.maxFrames = this.#frame;
      this.#scheduler.flush();
      await settle();
    }
    for (const check of this.#checks) check();
  }

  #at(place: number, action: () => void): void {
    this.#starts.set(place, [...(this.#starts.get(place) ?? []), action]);
  }
}

/** Waits until everything that can happen now has happened. */
export async function settle(turns = 3): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
}
