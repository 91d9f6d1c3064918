import { readdir, readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { importsOf } from "./imports.ts";

/*
 * What must be in a package, and what must not. Each check is a function of the package's manifest
 * and files, and returns its findings as sentences.
 */

/** The part of package.json that somebody who installs the package depends on. */
export interface Manifest {
  readonly name: string;
  readonly version?: string;
  readonly exports?: unknown;
  readonly imports?: unknown;
  readonly bin?: unknown;
  readonly sideEffects?: boolean | readonly string[];
  readonly engines?: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface PackedFile {
  readonly text: string;
  readonly isExecutable: boolean;
}

/** A package as it was unpacked; the keys of `files` are paths with forward slashes. */
export interface PackedPackage {
  readonly manifest: Manifest;
  readonly files: ReadonlyMap<string, PackedFile>;
}

export async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
}

export async function readPacked(folder: string): Promise<PackedPackage> {
  const files = new Map<string, PackedFile>();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((found) => found.isFile())) {
    const file = join(entry.parentPath, entry.name);
    const path = posix.normalize(file.slice(folder.length + 1).replaceAll("\\", "/"));
    const { mode } = await stat(file);
    const text = await readFile(file, "utf8");
    files.set(path, { text, isExecutable: (mode & 0o111) !== 0 });
  }
  return { manifest: await manifestOf(folder), files };
}

export function checkContents(packed: PackedPackage): string[] {
  return [
    ...checkFiles(packed),
    ...checkRanges(packed.manifest),
    ...checkTargets(packed),
    ...checkBin(packed),
    ...checkMaps(packed),
    ...checkReach(packed),
    ...checkEffects(packed),
  ];
}

function checkFiles({ manifest, files }: PackedPackage): string[] {
  const unwanted = [...files.keys()].filter((path) =>
    /\.(test|spec)\.|\.tsbuildinfo$|(^|\/)(test|fixtures|node_modules)\//.test(path),
  );
  const missing = ["LICENSE", "README.md"].filter((path) => !files.has(path));
  return [
    ...unwanted.map((path) => `${path} does not belong in a package`),
    ...missing.map((path) => `${path} is missing`),
    ...(manifest.engines?.node === undefined ? ["engines does not say which Node is needed"] : []),
  ];
}

const groups = ["dependencies", "peerDependencies", "optionalDependencies"] as const;
const onInstall = ["preinstall", "install", "postinstall"];

/** Ranges that mean something in this repository alone, and scripts that run when installed. */
function checkRanges(manifest: Manifest): string[] {
  const findings = groups.flatMap((group) =>
    Object.entries(manifest[group] ?? {})
      .filter(([, range]) => /^(workspace|catalog|link|file|portal):/.test(range))
      .map(([name, range]) => `${group}: ${name} is ${range}, which nobody else can install`),
  );
  const scripts = onInstall.filter((name) => manifest.scripts?.[name] !== undefined);
  return [...findings, ...scripts.map((name) => `the script ${name} runs on whoever installs it`)];
}

interface Target {
  /** Such as `exports . types`. */
  readonly place: string;
  readonly path: string;
}

/** Every file that a field of package.json names, at whatever depth. */
function targetsOf(place: string, value: unknown): Target[] {
  if (typeof value === "string") return [{ place, path: posix.normalize(value) }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => targetsOf(`${place} ${key}`, inner));
}

function entryTargets({ exports, imports, bin }: Manifest): Target[] {
  return [
    ...targetsOf("exports", exports),
    ...targetsOf("imports", imports),
    ...targetsOf("bin", bin),
  ];
}

function checkTargets({ manifest, files }: PackedPackage): string[] {
  return entryTargets(manifest)
    .filter(({ path }) => !files.has(path))
    .map(({ place, path }) => `${place} is ${path}, which is not in the package`);
}

function checkBin({ manifest, files }: PackedPackage): string[] {
  return targetsOf("bin", manifest.bin).flatMap(({ place, path }) => {
    const file = files.get(path);
    if (file === undefined) return [];
    return [
      ...(file.isExecutable ? [] : [`${place} is ${path}, which is not executable`]),
      ...(file.text.startsWith("#!/usr/bin/env node\n")
        ? []
        : [`${place} is ${path}, which does not begin with #!/usr/bin/env node`]),
    ];
  });
}

/** A map of sources that are not in the package leads a debugger and an editor nowhere. */
function checkMaps({ files }: PackedPackage): string[] {
  return [...files].flatMap(([path, { text }]) => {
    if (!path.endsWith(".map")) return [];
    const { sources = [] }: { sources?: string[] } = JSON.parse(text);
    return sources
      .map((source) => posix.join(posix.dirname(path), source))
      .filter((source) => !files.has(source))
      .map((source) => `${path} refers to ${source}, which is not in the package`);
  });
}

const codeFile = /^(?:src|dist)\/(.+?)(?:\.d)?\.[cm]?[jt]s(?:\.map)?$/;

/** What a source has in common with all built from it: `src/a.ts` and `dist/a.d.ts` are `a`. */
function moduleOf(path: string): string {
  return codeFile.exec(path)?.[1] ?? path;
}

const address = /\bnew URL\(\s*"(\.[^"]+)",\s*import\.meta\.url/g;

function relativeNames(text: string): string[] {
  const imported = importsOf(text).map(({ specifier }) => specifier);
  const addressed = [...text.matchAll(address)].map((match) => match[1] ?? "");
  return [...imported, ...addressed].filter((name) => name.startsWith("."));
}

/** Code that no entry leads to, over imports of values and types, is there for tests alone. */
function checkReach({ manifest, files }: PackedPackage): string[] {
  const uses = new Map<string, string[]>();
  for (const [path, { text }] of files) {
    if (path.endsWith(".map")) continue;
    const used = relativeNames(text).map((name) => moduleOf(posix.join(posix.dirname(path), name)));
    uses.set(moduleOf(path), [...(uses.get(moduleOf(path)) ?? []), ...used]);
  }
  const reached = new Set(entryTargets(manifest).map(({ path }) => moduleOf(path)));
  // A set gives what is added to it during the walk too.
  for (const module of reached) for (const used of uses.get(module) ?? []) reached.add(used);
  const code = [...files.keys()].filter((path) => codeFile.test(path));
  // Of the files of a module the one with the shortest path, its source, is named.
  const named = code.sort((one, other) => other.length - one.length);
  const stray = new Map(named.map((path) => [moduleOf(path), path]));
  return [...stray]
    .filter(([module]) => !reached.has(module))
    .map(([, path]) => `${path} is reached from no entry, so nobody who installs it can use it`);
}

/** `sideEffects: false` lets a bundler drop what is imported for its effect alone. */
function checkEffects({ manifest, files }: PackedPackage): string[] {
  const { sideEffects } = manifest;
  if (sideEffects === undefined) return ["package.json does not say sideEffects"];
  if (sideEffects === true) return [];
  const listed = sideEffects === false ? [] : sideEffects.map((path) => posix.normalize(path));
  const missing = listed.filter((path) => !files.has(path));
  const dropped = [...files].flatMap(([path, { text }]) =>
    codeFile.test(path) && !path.endsWith(".map")
      ? [...text.matchAll(/^import "(\.[^"]+)"/gm)]
          .map((match) => posix.join(posix.dirname(path), match[1] ?? ""))
          .filter((target) => !listed.includes(target))
          .map((target) => `${path} imports ${target} for its effect, which sideEffects denies`)
      : [],
  );
  return [...missing.map((path) => `sideEffects names ${path}, which is not there`), ...dropped];
}

const prepack = "node ../../scripts/prepack.mjs";

/** For the manifest as it lies in the repository: does plain `npm pack` refuse? */
export function checkPrepack(manifest: Manifest): string[] {
  return manifest.scripts?.prepack === prepack
    ? []
    : [`plain npm pack gives a broken tarball: set the script prepack to "${prepack}"`];
}
