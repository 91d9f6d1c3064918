import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { runPnpm } from "./install.mjs";

/*
 * Checks on what a user would install: each looks at packed tarballs or at their contents, and
 * returns its findings as sentences; none means all is well.
 */

const execute = promisify(execFile);
const root = dirname(import.meta.dirname);

export interface Manifest {
  readonly name: string;
  readonly exports?: Readonly<Record<string, unknown>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

export async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

/** Entries of a package that hold code: the keys of its exports map. */
export function codeEntries(manifest: Manifest): string[] {
  return Object.keys(manifest.exports ?? {}).filter((entry) => entry !== "./package.json");
}

/** Packs as pnpm publishes (only pnpm replaces `workspace:` versions); returns the tarball. */
export async function pack(folder: string, destination: string): Promise<string> {
  const before = new Set(await readdir(destination));
  const { code, output } = await runPnpm(root, ["pack", "--pack-destination", destination], {
    cwd: folder,
  });
  const made = (await readdir(destination)).find((name) => !before.has(name));
  if (code !== 0 || made === undefined) throw new Error(`pnpm pack in ${folder}:\n${output}`);
  return join(destination, made);
}

/** Puts the contents of a tarball where Node looks for the package in `consumer`. */
export async function unpack(tarball: string, consumer: string, name: string): Promise<string> {
  const target = join(consumer, "node_modules", ...name.split("/"));
  await mkdir(target, { recursive: true });
  await execute("tar", ["-xzf", tarball, "-C", target, "--strip-components=1"]);
  return target;
}

/** Makes the dependencies that `workspaceFolder` has installed resolvable from `consumer`. */
export async function linkDependencies(workspaceFolder: string, consumer: string): Promise<void> {
  const { dependencies = {}, peerDependencies = {} } = await manifestOf(workspaceFolder);
  for (const name of Object.keys({ ...dependencies, ...peerDependencies })) {
    const source = join(workspaceFolder, "node_modules", ...name.split("/"));
    const target = join(consumer, "node_modules", ...name.split("/"));
    if (name.startsWith("@palimpsest/") || existsSync(target)) continue;
    await mkdir(dirname(target), { recursive: true });
    await symlink(source, target, "junction");
  }
}

/** What must not be in a package, and what must. */
export async function checkContents(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true });
  const unwanted = entries.filter((path) => /\.(test|spec)\.|\.tsbuildinfo$/.test(path));
  const findings = unwanted.map((path) => `${path} does not belong in a package`);
  if (!entries.includes("LICENSE")) findings.push("LICENSE is missing");
  return findings;
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

/** Does Node load every entry of the package that was unpacked in `consumer`? */
export async function checkImports(consumer: string, manifest: Manifest): Promise<string[]> {
  const findings: string[] = [];
  for (const entry of codeEntries(manifest)) {
    const specifier = manifest.name + entry.slice(1);
    const program = `await import(${JSON.stringify(specifier)})`;
    const args = ["--input-type=module", "--eval", program];
    await execute(process.execPath, args, { cwd: consumer }).catch((error: Error) => {
      const reason = /^\w*Error.*$/m.exec(error.message.replace(/^Command failed.*\n/, ""));
      findings.push(`${specifier} does not load: ${reason?.[0] ?? error.message}`);
    });
  }
  return findings;
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
