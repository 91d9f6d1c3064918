import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { TestSummary } from "./scripts/test-summary.ts";
import { maxWorkers, sources, testRoots } from "./vitest.config.ts";

// A test file has a long form if it reads this variable; its own text says so.
const variable = "PALIMPSEST_LONG";
const files = globSync(`${testRoots}/**/*.test.ts`, {
  exclude: (path) => path.endsWith("node_modules"),
});
const hour = 3_600_000;

/** The long form of the tests that have one: many kills, deep enumeration. Takes its time. */
export default defineConfig({
  ...sources,
  test: {
    name: "long",
    pool: "forks",
    maxWorkers,
    allowOnly: false,
    include: files.filter((file) => readFileSync(file, "utf8").includes(variable)),
    env: { [variable]: "1" },
    testTimeout: hour,
    hookTimeout: hour,
    reporters: ["verbose", new TestSummary()],
  },
});
