import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Consumer } from "../../scripts/consumer.ts";
import {
  checkCommandLine,
  checkExample,
  checkTypes,
  environment,
  installWithNpm,
  linkPrograms,
  sortErrors,
  startProject,
  writeImports,
} from "../../scripts/consumer.ts";
import { fencedBlocks } from "../../scripts/documents.ts";
import { specifiersOf, tarballOf } from "../../scripts/packed.ts";

const execute = promisify(execFile);
const root = dirname(dirname(import.meta.dirname));

let place = "";
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), "palimpsest consumer "));
});
afterAll(() => rm(place, { recursive: true, force: true }));

/** A project with these files. */
async function project(files: Readonly<Record<string, string>> = {}): Promise<Consumer> {
  const consumer = { folder: await mkdtemp(join(place, "project ")), node: process.execPath };
  await startProject(consumer);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(consumer.folder, path)), { recursive: true });
    await writeFile(join(consumer.folder, path), text);
  }
  return consumer;
}

describe("the names of a package", () => {
  const manifest = { name: "@a/b", version: "1.2.3", exports: { ".": "", "./c": "" } };

  it("are those of its entries, without the one of its manifest", () => {
    const exports = { ...manifest.exports, "./package.json": "./package.json" };
    expect(specifiersOf({ ...manifest, exports })).toEqual(["@a/b", "@a/b/c"]);
    expect(specifiersOf({ name: "@a/b" })).toEqual([]);
  });

  it("are in the name of its tarball", () => {
    expect(tarballOf(manifest)).toBe("a-b-1.2.3.tgz");
  });
});

describe("fencedBlocks", () => {
  it("gives the blocks of one language, in their order", () => {
    const text = "```ts\na\n```\n\n```sh\nb\n```\n```ts\nc\nd\n```\n";
    expect(fencedBlocks(text, "ts")).toEqual(["a\n", "c\nd\n"]);
    expect(fencedBlocks("none", "ts")).toEqual([]);
  });
});

describe("the environment of the project", () => {
  it("leads to its own Node and not into the repository", () => {
    const outer = {
      PATH: [join(root, "node_modules", ".bin"), "/usr/bin"].join(delimiter),
      HOME: "/home/someone",
      npm_package_name: "palimpsest",
      npm_config_local_prefix: root,
      npm_config_registry: "https://registry.example",
      INIT_CWD: root,
    };
    expect(environment("/opt/node/bin/node", outer)).toEqual({
      PATH: ["/opt/node/bin", "/usr/bin"].join(delimiter),
      HOME: "/home/someone",
      npm_config_registry: "https://registry.example",
    });
  });
});

describe("an installation", () => {
  it("says that the registry is out of reach where it is", async () => {
    const consumer = await project({
      // Nothing listens there, and the cache is empty.
      ".npmrc": "registry=http://127.0.0.1:9/\ncache=cache\nfetch-retries=0\n",
    });
    expect(await installWithNpm(consumer, ["no-such-package@1.0.0"])).toBe("out of reach");
  });

  it("says what npm says of a package that cannot be installed", async () => {
    const manifest = { name: "sample", version: "1.0.0", dependencies: { core: "workspace:*" } };
    const consumer = await project({ "sample/package/package.json": JSON.stringify(manifest) });
    const from = join(consumer.folder, "sample");
    await execute("tar", ["-czf", join(from, "sample.tgz"), "-C", from, "package"]);
    expect(await installWithNpm(consumer, ["./sample/sample.tgz"])).toEqual({
      finding: expect.stringContaining("workspace:"),
    });
  });
});

describe("the types", () => {
  const newest = { compiler: "typescript", resolution: "nodenext", withLibraries: true } as const;
  const oldest = { compiler: "typescript5", resolution: "bundler", withLibraries: true } as const;
  const library = (name: string, types: string) => ({
    [`node_modules/${name}/package.json`]: JSON.stringify({
      name,
      type: "module",
      exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    }),
    [`node_modules/${name}/index.d.ts`]: types,
  });
  const node = library("@types/node", "");
  const broken = 'export type { Gone } from "nowhere";\n';

  it("are sound", async () => {
    const own = library("@palimpsest/sample", "export declare const one: 1;\n");
    const consumer = await project({ ...node, ...own });
    const file = await writeImports(consumer, ["@palimpsest/sample"]);
    const sound = { findings: [], unsound: [] };
    expect(await checkTypes(consumer, [file], newest)).toEqual(sound);
  });

  it.each([newest, oldest])("name what is not there: $compiler, $resolution", async (one) => {
    const own = library("@palimpsest/sample", `${broken}export * from "other";\n`);
    const consumer = await project({ ...node, ...own, ...library("other", broken) });
    const file = await writeImports(consumer, ["@palimpsest/sample", "@palimpsest/sample/gone"]);
    const { findings, unsound } = await checkTypes(consumer, [file], one);
    const where = `${one.compiler}, ${one.resolution}: `;
    const [inProject, inPackage, ...more] = findings.sort();
    expect(inProject).toMatch(new RegExp(`^${where}entries.ts.*'@palimpsest/sample/gone'`));
    expect(inPackage).toMatch(new RegExp(`^${where}node_modules/@palimpsest/sample/.*'nowhere'`));
    expect(more).toEqual([]);
    expect(unsound).toEqual(["other"]);
  });

  it("do not compile where the compiler finds no file to blame", () => {
    const global = "error TS2688: Cannot find type definition file for 'node'.\n  It is asked for.";
    expect(sortErrors(`${global}\n`)).toEqual({ errors: [global], unsound: [] });
  });

  it("of a dependency are its own matter where it is linked, too", () => {
    const path = "../store/.pnpm/@a+b@1.0.0/node_modules/@a/b/index.d.ts";
    const error = `${path}(2,1): error TS2430: wrong\n  because`;
    expect(sortErrors(error)).toEqual({ errors: [], unsound: ["@a/b"] });
  });
});

describe("the example", () => {
  it.each([
    ["works", 'const word: string = "well";\nconsole.log(word);\n', 0],
    ["throws", "throw new Error();\n", 1],
    ["says nothing", "", 1],
    ["shows what is not there", "console.log(undefined);\n", 1],
  ])("is judged when it %s", async (_what, text, findings) => {
    const consumer = await project({ "example.ts": text });
    expect(await checkExample(consumer, "example.ts")).toHaveLength(findings);
  });
});

describe("the command line", () => {
  const manifest = { name: "sample", bin: { palimpsest: "main.mjs" } };
  const program = (show: string) => `#!/usr/bin/env node
    const [call] = process.argv.slice(2);
    if (call === "--version") console.log("1.0.0");
    if (call === "run") console.log('{"outcome":"accepted"}');
    if (call === "show") ${show}\n`;

  async function check(show: string): Promise<string[]> {
    const consumer = await project({ "node_modules/sample/main.mjs": program(show) });
    await chmod(join(consumer.folder, "node_modules", "sample", "main.mjs"), 0o755);
    await linkPrograms(consumer, manifest);
    return checkCommandLine(consumer, "1.0.0");
  }

  it("is called as npx calls it", async () => {
    expect(await check('console.log("remember this");')).toEqual([]);
  });

  it("is refused where it does not answer", async () => {
    expect(await check("process.exit(2);")).toEqual([
      expect.stringMatching(/^npx palimpsest show .* ends with 2, without "remember this"/),
    ]);
  });
});

describe("plain npm pack in a package", () => {
  it("refuses and says what to run", async () => {
    const attempt = execute("npm", ["pack", "--dry-run"], { cwd: join(root, "packages", "core") });
    await expect(attempt).rejects.toMatchObject({
      stderr: expect.stringContaining("run: npm run pack:packages"),
    });
  });
});
