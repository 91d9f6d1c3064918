import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import type { Tier } from "./scripts/test-files.ts";
import { TestSummary } from "./scripts/test-summary.ts";

// The workspace's packages are tested as sources, not as built files.
const conditions = ["@palimpsest/source", "node", "import", "module", "default"];

export const sources = {
  resolve: { conditions },
  ssr: { resolve: { conditions, externalConditions: conditions } },
};

// At least two, so that a long e2e file does not hold up everything else on two cores.
export const maxWorkers = Math.max(2, availableParallelism() - 1);

export const seedFile = "./test/support/seed.ts";

export const testRoots = "{packages/*/src,test,bench}";

// V8 counts the blocks of a function only if it never ran before, so these want a fresh process.
const counting = globSync(`${testRoots}/**/*.{unit,scenario}.test.ts`, {
  exclude: (path) => path.endsWith("node_modules"),
}).filter((file) => readFileSync(file, "utf8").includes("startCounting"));

// One project per tier, type tests apart; a test file says its tier in its name. The limits are
// there against hanging. What has no state of its own shares a process with others: to load the
// packages costs more than most of these files take to run.
const tiers = {
  unit: { testTimeout: 60_000, isolate: false, exclude: counting },
  property: { testTimeout: 120_000, isolate: false, setupFiles: [seedFile] },
  conformance: { testTimeout: 120_000 },
  scenario: { testTimeout: 120_000, isolate: false, exclude: counting },
  e2e: { testTimeout: 120_000, hookTimeout: 120_000 },
} satisfies Record<Exclude<Tier, "type">, object>;

export default defineConfig({
  ...sources,
  test: {
    pool: "forks",
    maxWorkers,
    allowOnly: false,
    // What a test waits for comes at once on an idle machine, and later on a busy one.
    expect: { poll: { timeout: 30_000 } },
    reporters: ["default", new TestSummary()],
    projects: [
      ...Object.entries(tiers).map(([name, limits]) => ({
        extends: true as const,
        test: { name, include: [`${testRoots}/**/*.${name}.test.ts`], ...limits },
      })),
      {
        extends: true as const,
        test: { name: "counting", include: counting, testTimeout: tiers.unit.testTimeout },
      },
      {
        extends: true as const,
        test: {
          name: "type",
          include: [],
          // Type tests are compiled, never run: `tsc` reads them, vitest maps its errors to tests.
          typecheck: {
            enabled: true,
            only: true,
            include: [`${testRoots}/**/*.type.test.ts`],
            tsconfig: "tsconfig.types.json",
            ignoreSourceErrors: true,
            spawnTimeout: 60_000,
          },
        },
      },
    ],
  },
});
