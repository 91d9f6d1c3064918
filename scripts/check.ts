/*
 * `npm test`: everything that must hold, in one go. With --long: the long form of the tests that
 * have one. Further arguments go to vitest (`npm test -- marks` runs the files named so).
 */
import { run } from "./child.mjs";
import { exitSkipped } from "./exit-codes.ts";
import { removeAllStaleOutput } from "./stale-output.ts";

interface Step {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
}

const build: Step = { name: "build", command: ["tsc", "-b"] };

const checks: readonly Step[] = [
  { name: "lint", command: ["biome", "check", "--error-on-warnings", "."] },
  { name: "boundaries", command: ["node", "scripts/check-boundaries.ts"] },
  { name: "packages", command: ["node", "scripts/check-packages.ts", "--quick"] },
];

/** Runs one step; says how long it took. Resolves with its exit code. */
async function perform(step: Step, env: NodeJS.ProcessEnv = process.env): Promise<number> {
  console.log(`\n> ${step.name}`);
  const start = performance.now();
  const [program, ...args] = step.command;
  const code = await run(program, args, { env });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const ending = code === exitSkipped ? "in part skipped" : `exit code ${code}`;
  console.log(`< ${step.name}: ${code === 0 ? "ok" : ending}, ${seconds} s`);
  return code;
}

async function main(argv: readonly string[]): Promise<number> {
  const long = argv.includes("--long");
  const filters = argv.filter((arg) => arg !== "--long");
  removeAllStaleOutput();
  if ((await perform(build)) !== 0) {
    console.log("failed step: build (nothing else was run)\n0 passed, 1 failed, 0 skipped");
    return 1;
  }

  const failed: string[] = [];
  const skipped: string[] = [];
  for (const step of long ? [] : checks) {
    const code = await perform(step);
    if (code !== 0) (code === exitSkipped ? skipped : failed).push(step.name);
  }
  const config = long ? "vitest.long.config.ts" : "vitest.config.ts";
  const tests: Step = { name: "tests", command: ["vitest", "run", "--config", config, ...filters] };
  // The summary at the end of the tests is the last word, so it has to know what came before.
  const code = await perform(tests, {
    ...process.env,
    PALIMPSEST_FAILED_STEPS: failed.join(" "),
    PALIMPSEST_SKIPPED_STEPS: skipped.join(" "),
  });
  return failed.length === 0 ? code : 1;
}

process.exitCode = await main(process.argv.slice(2));
