import { beforeAll, describe, expect, it } from "vitest";
import { countSteps, startCounting } from "./work.ts";

beforeAll(startCounting);

/** Tasks that pass over `n` things once, and the same with a pass over all for each of them. */
const tasks: Record<string, (n: number, times: number) => unknown> = {
  "a loop": (n, times) => {
    let sum = 0;
    for (let i = 0; i < n; i += 1) for (let j = 0; j < times; j += 1) sum += j;
    return sum;
  },
  "functions given to an array": (n, times) =>
    Array.from({ length: n }, (_, i) => Array.from({ length: times }, (_, j) => i + j)),
  "a search in a string": (n, times) => {
    const text = "a".repeat(times);
    for (let i = 0; i < n; i += 1) text.indexOf("b");
  },
  "a search for what is included": (n, times) => {
    const text = "a".repeat(times);
    for (let i = 0; i < n; i += 1) text.includes("b");
  },
  "a search in an array": (n, times) => {
    const array = Array(times).fill("a");
    for (let i = 0; i < n; i += 1) array.includes("b") || array.indexOf("b");
  },
  "copies of an array": (n, times) => {
    const array = Array(times).fill("a");
    for (let i = 0; i < n; i += 1) if ([...array].length !== array.slice().length) return;
  },
  "a regular expression that steps back": (n, times) =>
    (times === 1 ? /^(?:\d+)x/ : /\d+x/).test("1".repeat(n)),
  "characters that a regular expression passes": (n, times) => {
    const text = "a".repeat(times);
    for (let i = 0; i < n; i += 1) /b/.test(text);
  },
};

const stepsOf = async (task: () => unknown) => (await countSteps(task)).steps;

describe("steps are counted", () => {
  it.each(Object.entries(tasks))("of %s", async (_, task) => {
    const linear = [await stepsOf(() => task(2_000, 1)), await stepsOf(() => task(8_000, 1))];
    expect((linear[1] ?? 0) / (linear[0] ?? 0)).toBeLessThan(5);
    const square = [await stepsOf(() => task(500, 500)), await stepsOf(() => task(2_000, 2_000))];
    expect((square[1] ?? 0) / (square[0] ?? 0)).toBeGreaterThan(10);
  });

  it("of a task that waits", async () => {
    const { steps, value } = await countSteps(async () => {
      await Promise.resolve();
      return tasks["a loop"]?.(10_000, 1);
    });
    expect(value).toBe(0);
    expect(steps).toBeGreaterThan(10_000);
  });

  it("and regular expressions find what they always find", async () => {
    const task = () => ["a1b22".replace(/\d+/g, "-"), "a,b".split(","), /b$/m.exec("ab\nc")?.index];
    expect((await countSteps(task)).value).toEqual(task());
  });
});
