/*
 * Prints what scripts/boundaries.ts and scripts/test-files.ts find in this repository; exit code 1
 * if there is anything.
 */
import { globSync, readFileSync } from "node:fs";
import { dirname, sep } from "node:path";
import { checkBoundaries } from "./boundaries.ts";
import { checkTestFiles } from "./test-files.ts";

const root = dirname(import.meta.dirname);
const skipped = new Set(["node_modules", "dist"]);

const files = globSync("{packages,test,bench,scripts,fixtures/make-session}/**/*.{ts,mts,js,mjs}", {
  cwd: root,
  exclude: (path) => skipped.has(path.split(sep).at(-1) ?? ""),
}).map((path) => ({
  path: path.split(sep).join("/"),
  text: readFileSync(`${root}/${path}`, "utf8"),
}));

const violations = [...checkBoundaries(files), ...checkTestFiles(files)];
for (const { path, line, rule, message } of violations) {
  console.error(`${path}:${line} ${rule}: ${message}`);
}
console.log(`Checked ${files.length} files: ${violations.length} violations of the boundaries.`);
process.exitCode = violations.length === 0 ? 0 : 1;
