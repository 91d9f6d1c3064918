import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  bundleForBrowser,
  checkImports,
  checkWithAttw,
  checkWithPublint,
  unpack,
} from "../../scripts/packed.ts";
import { checkContents, manifestOf, readPacked } from "../../scripts/packed-contents.ts";

const execute = promisify(execFile);
const root = dirname(dirname(import.meta.dirname));

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "palimpsest packages "));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const sound: Readonly<Record<string, string>> = {
  "package.json": JSON.stringify({
    name: "sample",
    version: "1.0.0",
    license: "MIT",
    type: "module",
    sideEffects: false,
    engines: { node: ">=22.13" },
    exports: { ".": { types: "./dist/index.d.ts", default: "./dist/index.js" } },
  }),
  LICENSE: "words",
  "README.md": "words",
  "dist/index.js": "export const one = 1;\n",
  "dist/index.d.ts": "export declare const one = 1;\n",
};

interface Sample {
  readonly consumer: string;
  readonly tarball: string;
  readonly unpacked: string;
}

/** A package with these files, packed, and unpacked where a consumer would have it. */
async function sample(files: Readonly<Record<string, string>>): Promise<Sample> {
  const consumer = await mkdtemp(join(folder, "consumer "));
  const contents = join(consumer, "tarball", "package");
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(contents, path)), { recursive: true });
    await writeFile(join(contents, path), text);
  }
  const tarball = join(consumer, "sample.tgz");
  await execute("tar", ["-czf", tarball, "-C", dirname(contents), "package"]);
  return { consumer, tarball, unpacked: await unpack(tarball, consumer, "sample") };
}

describe("the package checks", () => {
  it("find nothing in a sound package", async () => {
    const { consumer, tarball, unpacked } = await sample(sound);
    expect(checkContents(await readPacked(unpacked))).toEqual([]);
    expect(await checkWithPublint(tarball)).toEqual([]);
    expect(await checkWithAttw(tarball)).toEqual([]);
    expect(await checkImports(consumer, await manifestOf(unpacked))).toEqual([]);
    expect(await bundleForBrowser(consumer, "sample")).toMatchObject({ findings: [] });
  });

  it("find an entry whose file is not there", async () => {
    const { "dist/index.js": _, ...rest } = sound;
    const { consumer, tarball, unpacked } = await sample(rest);
    expect(await checkWithPublint(tarball)).toEqual([expect.stringContaining("does not exist")]);
    expect(await checkImports(consumer, await manifestOf(unpacked))).toEqual([
      expect.stringContaining("sample does not load"),
    ]);
  });

  it("find an entry that changes what every program has", async () => {
    const { consumer, unpacked } = await sample({
      ...sound,
      "dist/index.js": "Array.prototype.last = () => 1; export const one = 1;",
    });
    expect(await checkImports(consumer, await manifestOf(unpacked))).toEqual([
      "sample adds to what is Node's: Array.prototype.last",
    ]);
  });

  it("find an entry that ends the process", async () => {
    const { consumer, unpacked } = await sample({ ...sound, "dist/index.js": "process.exit(7);" });
    expect(await checkImports(consumer, await manifestOf(unpacked))).toEqual([
      expect.stringContaining("sample: the process that imports them ends"),
    ]);
  });

  it("find types that say CommonJS about a module", async () => {
    const { tarball } = await sample({
      ...sound,
      "package.json": (sound["package.json"] ?? "").replace("index.d.ts", "index.d.cts"),
      "dist/index.d.cts": "export declare const one = 1;\n",
    });
    expect(await checkWithAttw(tarball)).toEqual([expect.stringContaining("attw")]);
  });

  it.each([
    ['export * from "node:fs";', "imports node:fs"],
    ['export * from "better-sqlite3";', "contains"],
  ])("find what a browser cannot load: %s", async (text, finding) => {
    const { consumer } = await sample({
      ...sound,
      "dist/index.js": text,
      "node_modules/better-sqlite3/index.js": "export {};",
    });
    const { findings } = await bundleForBrowser(consumer, "sample");
    expect(findings).toEqual([expect.stringContaining(finding)]);
  });
});

describe("#platform in core, from source", () => {
  const core = join(root, "packages", "core");

  it("is Node's own on Node", async () => {
    const program =
      'console.log(require("node:module").createRequire(process.argv[1]).resolve("#platform"))';
    const args = ["--conditions=@palimpsest/source", "--eval", program, join(core, "package.json")];
    const { stdout } = await execute(process.execPath, args);
    expect(stdout.trim()).toBe(join(core, "src", "platform", "node.ts"));
  });

  it("is the portable one elsewhere", async () => {
    const { metafile } = await build({
      stdin: { contents: 'export * from "#platform";', resolveDir: join(core, "src") },
      absWorkingDir: core,
      bundle: true,
      write: false,
      metafile: true,
      platform: "browser",
      conditions: ["@palimpsest/source"],
    });
    const inputs = Object.keys(metafile.inputs);
    expect(inputs).toContain("src/platform/portable.ts");
    expect(inputs).not.toContain("src/platform/node.ts");
  });
});
