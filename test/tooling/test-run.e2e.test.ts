import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const root = dirname(dirname(import.meta.dirname));

// Inside the repository, so that the samples find vitest and its types.
const cache = join(root, "node_modules", ".cache");
let place = "";
beforeEach(async () => {
  await mkdir(cache, { recursive: true });
  place = await mkdtemp(join(cache, "test-run-"));
});
afterEach(() => rm(place, { recursive: true, force: true }));

const config = `
import { TestSummary } from ${JSON.stringify(join(root, "scripts", "test-summary.ts"))};
import house from ${JSON.stringify(join(root, "vitest.config.ts"))};
const here = (project) => {
  const { include, typecheck, ...test } = project.test;
  const own = (globs) => globs.map((glob) => glob.replace(/^{.*}\\/\\*\\*\\//, ""));
  return { ...project, test: { ...test, exclude: [], include: own(include), ...(typecheck && {
    typecheck: { ...typecheck, include: own(typecheck.include), exclude: [], tsconfig: "tsconfig.json" },
  }) } };
};
export default {
  ...house,
  test: { ...house.test, reporters: [new TestSummary()], projects: house.test.projects.map(here) },
};
`;

const tsconfig = JSON.stringify({
  extends: join(root, "tsconfig.types.json"),
  compilerOptions: { types: [] },
  include: ["*.test.ts"],
});

interface Run {
  readonly code: number | null;
  /** What the summary printed, line by line. */
  readonly summary: readonly string[];
}

/** Runs vitest as the house configures it on files with these texts. */
async function run(
  files: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Run> {
  const all = { ...files, "vitest.config.ts": config, "tsconfig.json": tsconfig };
  for (const [path, content] of Object.entries(all)) await writeFile(join(place, path), content);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const child = spawn(process.execPath, [vitest, "run"], {
    cwd: place,
    env: { PATH: process.env.PATH, ...env },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const exit = new Promise<number | null>((resolve) => child.on("close", resolve));
  const lines = (await text(child.stdout)).split("\n").filter(Boolean);
  return { code: await exit, summary: lines };
}

const head = 'import { expect, expectTypeOf, it } from "vitest";\n';
const passing = `${head}it("passes", () => {});\n`;

describe("a test run", () => {
  it("ends well, with a line that says so", async () => {
    expect(await run({ "a.unit.test.ts": passing })).toEqual({
      code: 0,
      summary: ["1 passed, 0 failed, 0 skipped"],
    });
  });

  it("names every test that was skipped, with its reason", async () => {
    const text = `${passing}it("needs Docker", ({ skip }) => skip("no Docker"));
      it.skipIf(true)("needs another system", () => {});\n`;
    expect(await run({ "a.e2e.test.ts": text })).toEqual({
      code: 0,
      summary: [
        "skipped: a.e2e.test.ts > needs Docker (no Docker)",
        "skipped: a.e2e.test.ts > needs another system",
        "1 passed, 0 failed, 2 skipped",
      ],
    });
  });

  it.each([
    ["a test fails", `${head}it("fails", () => expect(1).toBe(2));`],
    ["a file does not load", 'import "./nowhere.ts";'],
    ["a file holds no test", "export {};"],
    ["a test was left as the only one", `${head}it.only("stays", () => {});`],
  ])("fails when %s", async (_when, text) => {
    const { code, summary } = await run({ "a.unit.test.ts": passing, "b.unit.test.ts": text });
    expect(code).toBe(1);
    expect(summary.at(-1)).toBe("1 passed, 1 failed, 0 skipped");
  });

  it("fails when an error escapes every test", async () => {
    const escaping = `${passing}setTimeout(() => { throw new Error("late"); }, 0);
      it("waits", () => new Promise((resolve) => setTimeout(resolve, 50)));`;
    const { code, summary } = await run({ "a.unit.test.ts": escaping });
    expect(code).toBe(1);
    expect(summary.at(-1)).toBe("2 passed, 1 failed, 0 skipped");
  });

  it("fails when a type test is wrong", async () => {
    const types = `${head}it("right", () => expectTypeOf(1).toEqualTypeOf<number>());
      it("wrong", () => expectTypeOf(1).toEqualTypeOf<string>());\n`;
    const { code, summary } = await run({ "a.type.test.ts": types });
    expect(code).toBe(1);
    expect(summary.at(-1)).toBe("1 passed, 1 failed, 0 skipped");
  });

  it("fails when there is no test at all", async () => {
    expect((await run({})).code).toBe(1);
  });

  it("counts and names the steps that failed before it", async () => {
    const { summary } = await run(
      { "a.unit.test.ts": passing },
      { PALIMPSEST_FAILED_STEPS: "lint boundaries" },
    );
    expect(summary).toEqual([
      "failed step: lint",
      "failed step: boundaries",
      "1 passed, 2 failed, 0 skipped",
    ]);
  });

  it("counts and names the steps that skipped a part", async () => {
    const { code, summary } = await run(
      { "a.unit.test.ts": passing },
      { PALIMPSEST_SKIPPED_STEPS: "packages" },
    );
    expect({ code, summary }).toEqual({
      code: 0,
      summary: [
        "skipped a part of step: packages (its output says which)",
        "1 passed, 0 failed, 1 skipped",
      ],
    });
  });
});
