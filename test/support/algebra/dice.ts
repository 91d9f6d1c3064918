/** Turns the numbers of a generated value into choices, the same ones every time. */
export class Dice {
  readonly #values: readonly number[];
  #at = 0;

  constructor(values: readonly number[]) {
    this.#values = values;
  }

  /** A whole number from 0 to `sides` − 1. */
  roll(sides: number): number {
    const value = this.#values[this.#at % this.#values.length] ?? 0;
    // Later laps must not repeat the first one.
    const turned = value + 7919 * Math.floor(this.#at / this.#values.length);
    this.#at += 1;
    return turned % sides;
  }

  /** True `percent` times out of 100. */
  chance(percent: number): boolean {
    return this.roll(100) < percent;
  }

  /** One of them; undefined when there is none. */
  pick<T>(list: readonly T[]): T | undefined {
    return list.length === 0 ? undefined : list[this.roll(list.length)];
  }
}
