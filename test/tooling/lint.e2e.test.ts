import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const root = dirname(dirname(import.meta.dirname));
const biome = join(root, "node_modules", "@biomejs", "biome", "bin", "biome");

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest-lint-"));
  await cp(join(root, "biome.json"), join(folder, "biome.json"));
  await writeFile(join(folder, ".gitignore"), "node_modules\n");
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Report {
  readonly diagnostics: readonly { readonly category: string; readonly severity: string }[];
}

/** Rules that fail the lint for these files, under the house's own configuration. */
async function rulesBroken(files: Readonly<Record<string, string>>): Promise<string[]> {
  const place = await mkdtemp(join(folder, "case-"));
  await cp(join(folder, "biome.json"), join(place, "biome.json"));
  await cp(join(folder, ".gitignore"), join(place, ".gitignore"));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(place, path)), { recursive: true });
    await writeFile(join(place, path), text);
  }
  const args = [biome, "lint", "--error-on-warnings", "--reporter=json", "."];
  const { report, code } = await new Promise<{ report: Report; code: unknown }>((resolve) => {
    execFile(process.execPath, args, { cwd: place }, (error, stdout) => {
      resolve({ report: JSON.parse(stdout), code: error?.code ?? 0 });
    });
  });
  const failing = report.diagnostics.filter(({ severity }) => severity !== "information");
  expect(code).toBe(failing.length === 0 ? 0 : 1);
  return [...new Set(failing.map(({ category }) => category.replace(/^lint\/\w+\//, "")))].sort();
}

const lines = (count: number) => "  x += 1;\n".repeat(count);
const longFunction = `export function f(): number {\n  let x = 0;\n${lines(70)}  return x;\n}\n`;

describe("the lint", () => {
  it("lets plain code pass", async () => {
    const text = 'import type { A } from "./a.ts";\n\nexport const b: A = 1;\n';
    expect(
      await rulesBroken({
        "packages/core/src/a.ts": "export type A = 1;\n",
        "packages/core/src/b.ts": text,
      }),
    ).toEqual([]);
  });

  it.each([
    ["noExplicitAny", "packages/cli/src/a.ts", "export const a = (x: any) => x;\n"],
    ["noNonNullAssertion", "packages/cli/src/a.ts", "export const a = [1][0]!;\n"],
    ["noDefaultExport", "packages/cli/src/a.ts", "export default 1;\n"],
    ["noExcessiveLinesPerFile", "packages/cli/src/a.ts", "export {};\n".repeat(301)],
    ["noExcessiveLinesPerFunction", "packages/cli/src/a.ts", longFunction],
    ["noConsole", "packages/core/src/a.ts", 'console.log("a");\n'],
    ["noRestrictedGlobals", "packages/core/src/a.ts", 'export const a = Buffer.from("a");\n'],
    ["noEnum", "packages/cli/src/a.ts", "export enum A {\n  B = 1,\n}\n"],
    [
      "useImportType",
      "packages/cli/src/a.ts",
      'import { A } from "./b.ts";\n\nexport const a: A = 1;\n',
    ],
    ["useExportType", "packages/cli/src/a.ts", "type A = 1;\nexport { A };\n"],
    ["useNodejsImportProtocol", "packages/cli/src/a.ts", 'import "fs";\n'],
    ["useImportExtensions", "packages/cli/src/a.ts", 'import "./b";\n'],
    ["noUndeclaredDependencies", "packages/cli/src/a.ts", 'import "rxjs";\n'],
    ["noFocusedTests", "test/a.unit.test.ts", 'it.only("a", () => {});\n'],
    ["noSkippedTests", "test/a.unit.test.ts", 'it.skip("a", () => {});\n'],
    ["noFloatingPromises", "test/a.ts", "async function f(): Promise<void> {}\n\nf();\n"],
  ])("%s bites", async (rule, path, text) => {
    const sibling = join(dirname(path), "b.ts");
    expect(await rulesBroken({ [path]: text, [sibling]: "export type A = 1;\n" })).toContain(rule);
  });

  it("finds a cycle of imports, of types alone too", async () => {
    expect(
      await rulesBroken({
        "packages/cli/src/a.ts": 'import type { B } from "./b.ts";\n\nexport type A = B | 1;\n',
        "packages/cli/src/b.ts": 'import type { A } from "./a.ts";\n\nexport type B = A[];\n',
      }),
    ).toEqual(["noImportCycles"]);
  });

  it("lets a test skip itself where it cannot run", async () => {
    const text = 'it.skipIf(process.platform === "win32")("a", ({ skip }) => skip("why"));\n';
    expect(await rulesBroken({ "test/a.unit.test.ts": text })).toEqual([]);
  });

  it("lets test functions be long, a config have a default export, and Node's own places use Node", async () => {
    expect(
      await rulesBroken({
        "test/a.unit.test.ts": longFunction,
        "vitest.config.ts": "export default {};\n",
        "packages/core/src/platform/node.ts": 'export const a = Buffer.from("a");\n',
        "packages/core/src/a.unit.test.ts": 'export const a = Buffer.from("a");\n',
      }),
    ).toEqual([]);
  });
});
