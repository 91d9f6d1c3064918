import type { Observable, Subscription } from "rxjs";
import { settle } from "./marbles.ts";

/** What a subscriber was given, in order. */
export interface Recorder<Value> {
  readonly values: Value[];
  readonly ends: unknown[];
  readonly subscription: Subscription;
}

/** Subscribes and keeps all values; `ends` holds the error, or "complete". */
export function record<Value>(
  observable: Observable<Value>,
  onValue: (value: Value) => void = () => undefined,
): Recorder<Value> {
  const values: Value[] = [];
  const ends: unknown[] = [];
  const subscription = observable.subscribe({
    next: (value) => {
      values.push(value);
      onValue(value);
    },
    error: (error) => ends.push(error),
    complete: () => ends.push("complete"),
  });
  return { values, ends, subscription };
}

/** Waits, some seconds at most, until a condition holds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const patience = performance.now() + 8_000;
  while (!holds()) {
    if (performance.now() > patience) throw new Error(`waited too long for ${what}`);
    await settle(1);
  }
}
