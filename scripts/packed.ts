import { execFile } from "node:child_process";
import { existsSync, globSync } from "node:fs";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { run } from "./child.mjs";
import { runPnpm } from "./install.mjs";
import type { Manifest } from "./packed-contents.ts";
import { manifestOf } from "./packed-contents.ts";
import { removeAllStaleOutput } from "./stale-output.ts";

/*
 * Checks on what a user would install: each looks at packed tarballs or at their contents, and
 * returns its findings as sentences; none means all is well.
 */

const execute = promisify(execFile);
const root = dirname(import.meta.dirname);

/** What may be imported of a package: every key of its exports map that holds code. */
export function specifiersOf({ name, exports = {} }: Manifest): string[] {
  return Object.keys(exports ?? {})
    .filter((entry) => entry !== "./package.json")
    .map((entry) => name + entry.slice(1));
}

/** Brings `dist` of every package up to date; resolves with the exit code of the compiler. */
export function buildPackages(): Promise<number> {
  removeAllStaleOutput();
  const projects = globSync("packages/*/tsconfig.json", { cwd: root });
  const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
  return run(process.execPath, [tsc, "-b", ...projects], { cwd: root });
}

/** Packs every package as pnpm publishes it: only pnpm replaces `workspace:` versions. */
export async function packAll(destination: string): Promise<void> {
  await mkdir(destination, { recursive: true });
  const scope = ["--recursive", "--filter", "./packages/*"];
  const { code, output } = await runPnpm(
    root,
    [...scope, "pack", "--pack-destination", destination],
    { cwd: root },
  );
  if (code !== 0) throw new Error(`pnpm pack:\n${output}`);
}

/** The file that `packAll` makes of a package. */
export function tarballOf({ name, version }: Manifest): string {
  return `${name.replace(/^@/, "").replace("/", "-")}-${version}.tgz`;
}

/** Puts the contents of a tarball where Node looks for the package in `consumer`. */
export async function unpack(tarball: string, consumer: string, name: string): Promise<string> {
  const target = join(consumer, "node_modules", ...name.split("/"));
  await mkdir(target, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  return target;
}

/** Makes what `workspaceFolder` has installed, or some of it, resolvable from `consumer`. */
export async function linkDependencies(
  workspaceFolder: string,
  consumer: string,
  names?: readonly string[],
): Promise<void> {
  const { dependencies = {}, peerDependencies = {} } = await manifestOf(workspaceFolder);
  for (const name of names ?? Object.keys({ ...dependencies, ...peerDependencies })) {
    const source = join(workspaceFolder, "node_modules", ...name.split("/"));
    const target = join(consumer, "node_modules", ...name.split("/"));
    if (name.startsWith("@palimpsest/") || existsSync(target)) continue;
    await mkdir(dirname(target), { recursive: true });
    await symlink(source, target, "junction");
  }
}

export async function checkWithPublint(tarball: string): Promise<string[]> {
  const bytes = new Uint8Array(await readFile(tarball));
  const { messages, pkg } = await publint({ strict: true, pack: { tarball: bytes.buffer } });
  return messages.map((message) => formatMessage(message, pkg, { color: false }) ?? message.code);
}

/** Do the types of each entry resolve to what Node loads? For packages that are ESM alone. */
export async function checkWithAttw(tarball: string): Promise<string[]> {
  const attw = join(root, "node_modules", "@arethetypeswrong", "cli", "dist", "index.js");
  const args = [attw, tarball, "--profile", "esm-only", "--format", "ascii", "--no-color"];
  try {
    await execute(process.execPath, args);
    return [];
  } catch (error) {
    const { stdout = "", stderr = "" } = error as { stdout?: string; stderr?: string };
    return [`attw: ${stdout}${stderr}`];
  }
}

/** Does this Node load every entry of a package that `consumer` has, and keep its own objects? */
export async function checkImports(
  consumer: string,
  manifest: Manifest,
  node = process.execPath,
): Promise<string[]> {
  const specifiers = specifiersOf(manifest);
  const args = ["--input-type=module", "--eval", importer(specifiers)];
  try {
    const { stdout } = await execute(node, args, { cwd: consumer });
    return stdout.split("\n").filter(Boolean);
  } catch (error) {
    // A native module that this Node cannot serve ends the process.
    return [`${specifiers.join(", ")}: the process that imports them ends: ${error}`];
  }
}

function importer(specifiers: readonly string[]): string {
  return `
    const places = { Object, Function, Array, String, Number, Promise, Map, Set, Symbol };
    const keys = () => Object.entries(places).flatMap(([name, place]) => [
      ...Reflect.ownKeys(place).map((key) => name + "." + String(key)),
      ...Reflect.ownKeys(place.prototype ?? {}).map((key) => name + ".prototype." + String(key)),
    ]);
    for (const specifier of ${JSON.stringify(specifiers)}) {
      const before = new Set(keys());
      await import(specifier).catch((error) => {
        console.log(specifier + " does not load: " + String(error).split("\\n")[0]);
      });
      const added = keys().filter((key) => !before.has(key));
      if (added.length > 0) console.log(specifier + " adds to what is Node's: " + added.join(", "));
    }`;
}

export interface Bundle {
  readonly findings: string[];
  readonly code: string;
  readonly minifiedBytes: number;
  readonly gzippedBytes: number;
}

/** Bundles an entry as a web page would, and looks for what a browser cannot load. */
export async function bundleForBrowser(consumer: string, specifier: string): Promise<Bundle> {
  const result = await build({
    stdin: { contents: `export * from ${JSON.stringify(specifier)};`, resolveDir: consumer },
    bundle: true,
    platform: "browser",
    format: "esm",
    minify: true,
    metafile: true,
    write: false,
    // esbuild leaves these imports in the output, where they can be named.
    external: ["node:*"],
    logLevel: "silent",
  });
  const inputs = Object.keys(result.metafile.inputs);
  const imports = Object.values(result.metafile.outputs).flatMap((output) => output.imports);
  const findings = [
    ...imports.map(({ path }) => `the browser bundle of ${specifier} imports ${path}`),
    ...inputs
      .filter((path) => /better-sqlite3|@eventstore|@grpc|platform\/node\.js$/.test(path))
      .map((path) => `the browser bundle of ${specifier} contains ${path}`),
  ];
  const bytes = result.outputFiles[0]?.contents ?? new Uint8Array();
  return {
    findings,
    code: new TextDecoder().decode(bytes),
    minifiedBytes: bytes.length,
    gzippedBytes: gzipSync(bytes).length,
  };
}
