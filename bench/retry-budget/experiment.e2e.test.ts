import { describe, expect, test } from "vitest";
import type { ExperimentOptions } from "./experiment.ts";
import { runExperiment } from "./experiment.ts";

const small: ExperimentOptions = {
  tasks: 10,
  seed: 1,
  harder: false,
  outputTokens: 150,
  targetTokens: 5_000,
};

describe("the experiment in small", () => {
  test("an asserted decision is never read without its reasons, a plain one is", async () => {
    const rows = await runExperiment(small);
    const wrong = (letter: string) =>
      rows
        .filter(({ arm, family, wordings }) => {
          return arm.startsWith(letter) && family === "all" && wordings === "both";
        })
        .map(({ wrongConfident }) => wrongConfident);

    expect(wrong("d")).toEqual([0, 0]);
    for (const letter of ["a", "b"]) {
      expect(Math.min(...wrong(letter)), `arm ${letter}`).toBeGreaterThan(0);
    }
    const families = rows.filter(({ arm, wordings }) => arm.startsWith("d") && wordings === "both");
    expect(families.map(({ wrongConfident }) => wrongConfident)).toEqual(families.map(() => 0));
    expect(families.every(({ unreasoned }) => unreasoned === 0)).toBe(true);
  });

  test("the same seed gives the same rows, another seed others", async () => {
    const tiny = { ...small, tasks: 2 };
    const rows = await runExperiment(tiny);

    expect(await runExperiment(tiny)).toEqual(rows);
    expect(await runExperiment({ ...tiny, seed: 2 })).not.toEqual(rows);
  });
});
