import { spawn } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fencedBlocks } from "./documents.ts";
import { npmCommand, registryIsOutOfReach } from "./install.mjs";
import type { Manifest } from "./packed-contents.ts";

/*
 * A project outside the repository that has the packages installed, and what its owner would do
 * with them. Each check returns its findings as sentences; none means all is well.
 */

const root = dirname(import.meta.dirname);

export interface Consumer {
  readonly folder: string;
  /** The Node that its owner has. */
  readonly node: string;
}

/** One of the Nodes that the repository brings, by the alias in its package.json. */
export function nodeOf(alias: string): string {
  const name = process.platform === "win32" ? "node.exe" : "node";
  return join(root, "node_modules", alias, "bin", name);
}

export async function startProject(consumer: Consumer): Promise<void> {
  await mkdir(consumer.folder, { recursive: true });
  const manifest = { name: "consumer", version: "1.0.0", private: true, type: "module" };
  await writeFile(join(consumer.folder, "package.json"), JSON.stringify(manifest));
}

export interface Finished {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program in the consumer's folder, with no way back into the repository. */
function perform(
  consumer: Consumer,
  [program, ...args]: readonly [string, ...string[]],
  input = "",
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const { folder, node } = consumer;
    const child = spawn(program, args, { cwd: folder, env: environment(node, process.env) });
    child.on("error", reject);
    child.stdin.on("error", () => undefined); // a program need not read what it is told
    child.stdin.end(input);
    const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
    child.on("close", async (code) => resolve({ code, output: (await outputs).join("") }));
  });
}

/**
 * The environment of a project that npm runs nothing for yet: without the repository's programs,
 * and without what npm tells the scripts of the repository about itself.
 */
export function environment(node: string, outer: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const ofNpm = /^(npm_(package|lifecycle)_|npm_config_local_prefix$|npm_execpath$|INIT_CWD$)/i;
  const kept = Object.entries(outer).filter(([name]) => !ofNpm.test(name));
  const path = (outer.PATH ?? "").split(delimiter).filter((entry) => !entry.startsWith(root));
  return { ...Object.fromEntries(kept), PATH: [dirname(node), ...path].join(delimiter) };
}

function npm(consumer: Consumer, args: readonly string[], input?: string): Promise<Finished> {
  const [program, prefix] = npmCommand(consumer.node);
  return perform(consumer, [program, ...prefix, ...args], input);
}

export type Installed = "installed" | "out of reach" | { readonly finding: string };

/** Installs with npm, from its cache where that has what is needed. */
export async function installWithNpm(
  consumer: Consumer,
  specs: readonly string[],
): Promise<Installed> {
  const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--no-progress"];
  const { code, output } = await npm(consumer, ["install", ...flags, ...specs]);
  if (code === 0) return "installed";
  return registryIsOutOfReach(output) ? "out of reach" : { finding: `npm install: ${output}` };
}

/** What npm does for a `bin`, for packages that were put there without it. */
export async function linkPrograms(consumer: Consumer, manifest: Manifest): Promise<void> {
  const modules = join(consumer.folder, "node_modules");
  await mkdir(join(modules, ".bin"), { recursive: true });
  for (const [name, path] of Object.entries(manifest.bin ?? {})) {
    await symlink(join(modules, manifest.name, String(path)), join(modules, ".bin", name));
  }
}

/** The first example of README.md, as a file of the project; returns its name. */
export async function writeExample(consumer: Consumer): Promise<string> {
  const [example] = fencedBlocks(await readFile(join(root, "README.md"), "utf8"), "ts");
  if (example === undefined) throw new Error("README.md has no example in TypeScript");
  await writeFile(join(consumer.folder, "example.ts"), example);
  return "example.ts";
}

/** A file that imports every entry; returns its name. */
export async function writeImports(
  consumer: Consumer,
  specifiers: readonly string[],
): Promise<string> {
  const names = specifiers.map((_, index) => `entry${index}`);
  const imports = specifiers.map(
    (specifier, index) => `import * as ${names[index]} from ${JSON.stringify(specifier)};\n`,
  );
  const code = `${imports.join("")}export const entries = [${names.join(", ")}];\n`;
  await writeFile(join(consumer.folder, "entries.ts"), code);
  return "entries.ts";
}

export interface Compilation {
  /** An alias in the repository's package.json. */
  readonly compiler: "typescript" | "typescript5";
  readonly resolution: "nodenext" | "bundler";
  /** Whether to read every declaration, also those of the dependencies. It takes long. */
  readonly withLibraries: boolean;
}

export interface Compiled {
  readonly findings: string[];
  /** Dependencies whose own declarations do not compile: nothing in this repository mends them. */
  readonly unsound: string[];
}

/** Compiles files as a strict project does. */
export async function checkTypes(
  consumer: Consumer,
  files: readonly string[],
  { compiler, resolution, withLibraries }: Compilation,
): Promise<Compiled> {
  const config = `tsconfig.${compiler}.${resolution}.json`;
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: "es2022",
    module: resolution === "nodenext" ? "nodenext" : "esnext",
    moduleResolution: resolution,
    types: ["node"],
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: !withLibraries,
  };
  await writeFile(join(consumer.folder, config), JSON.stringify({ compilerOptions, files }));
  const tsc = join(root, "node_modules", compiler, "bin", "tsc");
  const options = ["--project", config, "--pretty", "false"];
  const { code, output } = await perform(consumer, [process.execPath, tsc, ...options]);
  if (code === 0) return { findings: [], unsound: [] };
  const { errors, unsound } = sortErrors(output);
  const findings = errors.slice(0, 20).map((error) => `${compiler}, ${resolution}: ${error}`);
  if (findings.length + unsound.length > 0) return { findings, unsound };
  return { findings: [`${compiler}, ${resolution}: exit code ${code}: ${output}`], unsound };
}

/** Tells the errors that are the packages' or the project's from those of their dependencies. */
export function sortErrors(output: string): { errors: string[]; unsound: string[] } {
  const errors: string[] = [];
  const unsound = new Set<string>();
  // Lines that explain an error are indented.
  for (const error of output.trim().split(/\n(?=\S)/)) {
    const [, name] = /^\S*node_modules\/((?:@[^/]+\/)?[^/]+)\/[^:]*: error /.exec(error) ?? [];
    if (name === undefined || name.startsWith("@palimpsest/")) errors.push(error);
    else unsound.add(name);
  }
  return { errors: errors.filter(Boolean), unsound: [...unsound] };
}

/** Node takes the types out of the example by itself. */
export async function checkExample(consumer: Consumer, file: string): Promise<string[]> {
  const { code, output } = await perform(consumer, [consumer.node, file]);
  const isWell = code === 0 && output.trim() !== "" && !output.includes("undefined");
  return isWell ? [] : [`the example of README.md ends with ${code} and says: ${output}`];
}

const commands = `{"command":"openWindow"}
{"command":"admitSpan","spanId":"s","origin":"user","content":"remember this"}
`;

/** `npx palimpsest`, as somebody calls it who has just installed it. */
export async function checkCommandLine(consumer: Consumer, version: string): Promise<string[]> {
  const findings: string[] = [];
  const expectOutput = async (args: readonly string[], expected: string, input?: string) => {
    // `npx` is this call; `--no`: npm must not look for the program anywhere else.
    const { code, output } = await npm(consumer, ["exec", "--no", "--", ...args], input);
    if (code === 0 && output.includes(expected)) return;
    findings.push(`npx ${args.join(" ")} ends with ${code}, without "${expected}": ${output}`);
  };
  const store = ["--store", "sqlite:store.db", "--window", "first"];
  await expectOutput(["palimpsest", "--version"], version);
  await expectOutput(["palimpsest", "run", ...store], '"outcome":"accepted"', commands);
  await expectOutput(["palimpsest", "show", ...store], "remember this");
  return findings;
}
