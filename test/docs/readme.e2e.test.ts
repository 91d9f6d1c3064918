import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { fencedBlocks } from "../../scripts/documents.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The fenced blocks of one language in a document of the repository. */
function blocks(document: string, language: string): string[] {
  return fencedBlocks(readFileSync(join(root, document), "utf8"), language);
}

// The snippets import packages by name, so they are run from inside the workspace.
const scratch = mkdtempSync(join(root, "test", "docs", ".snippets-"));
const stores = mkdtempSync(join(tmpdir(), "palimpsest-readme-"));
afterAll(() => {
  for (const folder of [scratch, stores]) rmSync(folder, { recursive: true });
});

/** Its example is compiled and not run: it needs a server. */
const needsServer = readmeOf("eventstoredb");
const documents = [
  ...["README.md", "docs/commands.md"],
  ...["claims", "core", "import", "projections", "verifier"].map(readmeOf),
  needsServer,
];
const snippets = documents.flatMap((document) =>
  blocks(document, "ts").map((code, i) => {
    const file = join(scratch, `${document.replaceAll("/", "-")}-${i + 1}.ts`);
    writeFileSync(file, code);
    return { title: `${document}, example ${i + 1}`, file, runs: document !== needsServer };
  }),
);

describe("the examples in the documents", () => {
  it("are there", () => {
    expect(snippets.length).toBeGreaterThanOrEqual(documents.length);
  });

  it("compile", () => {
    const files = snippets.map(({ file }) => file);
    execFileSync(
      "tsc",
      ["--noEmit", "--ignoreConfig", ...compilerOptions(), ...files],
      options(root),
    );
  });

  it.each(snippets.filter(({ runs }) => runs))("run: $title", ({ file }) => {
    const output = execFileSync("node", ["--conditions=@palimpsest/source", file], options(stores));
    expect(output).not.toContain("undefined");
  });
});

describe("the commands in README.md", () => {
  it("run as written and end with the edit undone", () => {
    const session = blocks("README.md", "sh").find((block) => block.includes("palimpsest run"));
    if (session === undefined) throw new Error("README.md shows no `palimpsest run`");
    const script = session.replaceAll(
      "npx palimpsest",
      `node ${join(root, "packages/cli/bin/palimpsest.mjs")}`,
    );
    const output = execFileSync("bash", ["-euo", "pipefail", "-c", script], options(stores));
    expect(output).toContain('"outcome":"accepted"');
    expect(output).toContain("::gap spans 1 edits 1: e (");
    expect(output.trimEnd().split("\n").at(-1)).toMatch(/^2\s+e2\s+undo\s+reversible/);
  });
});

function readmeOf(name: string): string {
  return `packages/${name}/README.md`;
}

function compilerOptions(): string[] {
  return [
    ...["--strict", "--module", "nodenext", "--target", "esnext", "--types", "node"],
    ...["--customConditions", "@palimpsest/source", "--allowImportingTsExtensions"],
    ...["--skipLibCheck", "--erasableSyntaxOnly", "--exactOptionalPropertyTypes"],
  ];
}

function options(cwd: string) {
  const path = `${join(root, "node_modules", ".bin")}${delimiter}${process.env.PATH}`;
  return { cwd, encoding: "utf8", env: { ...process.env, PATH: path } } as const;
}
