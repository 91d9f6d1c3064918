import { globSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { TestSummary } from "./scripts/test-summary.ts";
import { maxWorkers, seedFile, sources, testRoots } from "./vitest.config.ts";

// A test file has a long form if it reads this variable; its own text says so.
const variable = "PALIMPSEST_LONG";
const files = globSync(`${testRoots}/**/*.test.ts`, {
  exclude: (path) => path.endsWith("node_modules"),
});
/** Laws have no long form of their own to run with: here they get new cases. */
const isLaw = (file: string) => file.endsWith(".property.test.ts");
const hour = 3_600_000;

/** Many kills, deep enumeration, new cases for the laws. Takes its time. */
export default defineConfig({
  ...sources,
  test: {
    name: "long",
    pool: "forks",
    maxWorkers,
    allowOnly: false,
    include: files.filter((file) => isLaw(file) || readFileSync(file, "utf8").includes(variable)),
    setupFiles: [seedFile],
    env: { [variable]: "1" },
    testTimeout: hour,
    hookTimeout: hour,
    reporters: ["verbose", new TestSummary()],
  },
});
