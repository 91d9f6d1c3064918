import { describe, expect, it } from "vitest";
import { backoff, pause } from "./waiting.ts";

const BOUNDS = { first: 50, most: 5_000 };

describe("backoff", () => {
  it.each([
    [0, 50],
    [1, 100],
    [4, 800],
    [7, 5_000],
    [1_000, 5_000],
  ])("after failure %i takes a part of %i ms, from nothing to all of it", (attempt, bound) => {
    const waits = [0, 0.25, 0.5].map((drawn) => backoff(attempt, BOUNDS, () => drawn));
    expect(waits).toEqual([0, bound / 4, bound / 2]);
  });

  it("draws anew each time", () => {
    const waits = Array.from({ length: 200 }, () => backoff(7, BOUNDS));
    expect(new Set(waits).size).toBeGreaterThan(100);
  });
});

describe("pause", () => {
  it("ends when it is told to, and does not begin when it was told before", async () => {
    const stop = new AbortController();
    const waiting = pause(2 ** 30, stop.signal);
    stop.abort();
    await waiting;
    await pause(2 ** 30, stop.signal);
  });
});
