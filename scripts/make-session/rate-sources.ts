/** The limiter as the model first writes it, with the fault that the chapter is about. */
export function limiter(): string {
  return `import type { Clock } from "./types.ts";

/** At most so many offers in each second of the clock. */
export class RateLimit {
  readonly #clock: Clock;
  readonly #perSecond: number;
  #second = -1;
  #spent = 0;

  constructor(clock: Clock, perSecond: number) {
    this.#clock = clock;
    this.#perSecond = perSecond;
  }

  /** Offers that may go out right now. */
  room(): number {
    this.#turn();
    return this.#perSecond - this.#spent;
  }

  spend(): void {
    this.#turn();
    this.#spent += 1;
  }

  #turn(): void {
    const second = Math.floor(this.#clock.now() / 1000);
    if (second === this.#second) return;
    this.#second = second;
    this.#spent = 0;
  }
}
`;
}

/** Its test; the second one fails until the window slides. */
export function limiterTest(): string {
  return `import { beforeEach, describe, expect, it } from "vitest";
import { RateLimit } from "../src/rate-limit.ts";

describe("RateLimit", () => {
  let now = 0;
  let limit: RateLimit;
  beforeEach(() => {
    now = 0;
    limit = new RateLimit({ now: () => now }, 12);
  });

  it("has its whole room at first", () => {
    expect(limit.room()).toBe(12);
  });

  it("allows no more than the limit in any second", () => {
    now = 900;
    for (let i = 0; i < 12; i += 1) limit.spend();
    now = 1100;
    expect(limit.room()).toBe(0);
  });

  it("has room again a second later", () => {
    for (let i = 0; i < 12; i += 1) limit.spend();
    now = 1000;
    expect(limit.room()).toBe(12);
  });
});
`;
}
