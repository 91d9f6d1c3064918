import { posix } from "node:path";
import type { SourceFile, Violation } from "./violations.ts";

/** A test file says its tier in its name; `vitest.config.ts` has a project for each. */
export const tiers = ["unit", "property", "conformance", "scenario", "e2e", "type"] as const;
export type Tier = (typeof tiers)[number];

const testName = /\.(test|spec)\.[cm]?[jt]sx?$/;
const tieredName = new RegExp(`\\.(${tiers.join("|")})\\.test\\.ts$`);
const placeOfTests = /^(packages\/[^/]+\/src|test|bench)\//;

/** Checks what the names of all test files say: a tier that runs them, and what they test. */
export function checkTestFiles(files: readonly SourceFile[]): Violation[] {
  const paths = new Set(files.map(({ path }) => path));
  const tests = [...paths].filter((path) => testName.test(path));
  return [
    ...tests.flatMap((path) =>
      isRun(path) ? checkSubject(path, paths) : [violation(path, "test-name", unnamed)],
    ),
    ...tiers.filter((tier) => !tests.some((path) => isOfTier(path, tier))).map(emptyTier),
  ];
}

const unnamed = `no tier runs this file: name it *.(${tiers.join("|")}).test.ts, in packages/*/src, test or bench`;

function isRun(path: string): boolean {
  return tieredName.test(path) && placeOfTests.test(path);
}

function isOfTier(path: string, tier: Tier): boolean {
  return isRun(path) && path.endsWith(`.${tier}.test.ts`);
}

/**
 * In a package a test has the name of the file beside it that it tests, or of its folder (of the
 * package, for one in `src`) when it tests what the files of the folder do together.
 */
function checkSubject(path: string, paths: ReadonlySet<string>): Violation[] {
  const place = /^packages\/([^/]+)\/src\//.exec(path);
  if (place === null) return [];
  const subject = path.replace(tieredName, "");
  const folder = posix.basename(posix.dirname(path)).replace(/^src$/, place[1] ?? "");
  if (paths.has(`${subject}.ts`) || posix.basename(subject) === folder) return [];
  const message = `it is named for neither a file beside it nor its folder ${folder}`;
  return [violation(path, "test-subject", message)];
}

function emptyTier(tier: Tier): Violation {
  const message = `no file is named *.${tier}.test.ts: the tier passes without a test`;
  return violation("vitest.config.ts", "tier-without-tests", message);
}

function violation(path: string, rule: Violation["rule"], message: string): Violation {
  return { path, line: 1, rule, message };
}
