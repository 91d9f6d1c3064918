import { expect, it } from "vitest";
import { backoff, pause } from "./waiting.ts";

it("waits twice as long after each failure, at most five seconds, and never the same for all", () => {
  for (const [attempt, most] of [
    [0, 50],
    [1, 100],
    [4, 800],
    [7, 5_000],
    [1_000, 5_000],
  ] as const) {
    const waits = Array.from({ length: 200 }, () => backoff(attempt));
    expect(Math.max(...waits)).toBeLessThanOrEqual(most);
    expect(Math.max(...waits)).toBeGreaterThan(most / 2);
    expect(Math.min(...waits)).toBeLessThan(most / 2);
    expect(new Set(waits).size).toBeGreaterThan(100);
  }
});

it("stops waiting when it is told to", async () => {
  const stop = new AbortController();
  const waiting = pause(60_000, stop.signal);
  stop.abort();
  await waiting;
  await pause(60_000, stop.signal);
});
