import { describe, expect, it } from "vitest";
import { checkTestFiles, tiers } from "../../scripts/test-files.ts";

/** One test of every tier. */
const whole = tiers.map((tier) => `test/a.${tier}.test.ts`);

/** The rules that the names of these files break. */
function rulesBroken(...paths: string[]): string[] {
  return checkTestFiles(paths.map((path) => ({ path, text: "" }))).map(({ rule }) => rule);
}

describe("test-name", () => {
  it.each([
    "packages/core/src/a.test.ts",
    "packages/core/src/a.unit.spec.ts",
    "packages/core/src/a.integration.test.ts",
    "packages/core/test/a.unit.test.ts",
    "scripts/a.unit.test.ts",
    "test/a.unit.test.mts",
  ])("%s would never run", (path) => {
    expect(rulesBroken(...whole, path)).toEqual(["test-name"]);
  });

  it.each(tiers)("%s is a tier", (tier) => {
    expect(rulesBroken(...whole, `bench/b.${tier}.test.ts`)).toEqual([]);
  });
});

describe("test-subject", () => {
  it.each(tiers)("refuses a %s test in a package that is named for no file beside it", (tier) => {
    const path = `packages/core/src/log/a.${tier}.test.ts`;
    expect(rulesBroken(...whole, path, "packages/core/src/log/b.ts")).toEqual(["test-subject"]);
    expect(rulesBroken(...whole, path, "packages/core/src/a.ts")).toEqual(["test-subject"]);
    expect(rulesBroken(...whole, path, "packages/core/src/log/a.ts")).toEqual([]);
  });

  it("lets a test have the name of its folder, or of its package", () => {
    expect(rulesBroken(...whole, "packages/core/src/log/log.unit.test.ts")).toEqual([]);
    expect(rulesBroken(...whole, "packages/core/src/core.type.test.ts")).toEqual([]);
    expect(rulesBroken(...whole, "packages/core/src/src.unit.test.ts")).toEqual(["test-subject"]);
  });

  it("leaves tests outside the packages their own names", () => {
    expect(rulesBroken(...whole, "test/log/crash.e2e.test.ts")).toEqual([]);
  });
});

describe("tier-without-tests", () => {
  it.each(tiers)("refuses that no file is of the tier %s", (tier) => {
    const others = whole.filter((path) => !path.includes(tier));
    const unrun = `scripts/a.${tier}.test.ts`;
    expect(rulesBroken(...others)).toEqual(["tier-without-tests"]);
    expect(rulesBroken(...others, unrun)).toEqual(["test-name", "tier-without-tests"]);
  });
});
