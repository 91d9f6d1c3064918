import type { Reporter, TestCase, TestModule } from "vitest/node";

/**
 * A vitest reporter: names every test that was skipped, and ends with one plain line
 * `N passed, N failed, N skipped` for whoever reads the log with a program. The steps of
 * scripts/check.ts that failed before the tests, or skipped a part, count as such too.
 */
export class TestSummary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const inState = (state: string) => tests.filter((test) => test.result().state === state);
    // A file that does not even load has no tests to fail; it counts as one failure.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    const steps = named(process.env.PALIMPSEST_FAILED_STEPS);
    const skippedSteps = named(process.env.PALIMPSEST_SKIPPED_STEPS);
    const failed = inState("failed").length + broken + unhandled.length + steps.length;
    const skipped = inState("skipped");
    const lines = [
      ...skipped.map((test) => `skipped: ${describeTest(test)}`),
      ...skippedSteps.map((step) => `skipped a part of step: ${step} (its output says which)`),
      ...steps.map((step) => `failed step: ${step}`),
      `${inState("passed").length} passed, ${failed} failed, ${skipped.length + skippedSteps.length} skipped`,
    ];
    process.stdout.write(`${lines.join("\n")}\n`);
  }
}

function named(steps = ""): string[] {
  return steps.split(" ").filter(Boolean);
}

function describeTest(test: TestCase): string {
  const result = test.result();
  const note = result.state === "skipped" && result.note ? ` (${result.note})` : "";
  return `${test.module.relativeModuleId} > ${test.fullName}${note}`;
}
