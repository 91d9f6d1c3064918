/*
 * Packs every package, installs what was packed into projects outside the repository, and does
 * there what a user would do. With --quick, as in `npm test`: on one Node, with one compiler, after
 * a build. Exits with 1 on findings, and with 3 if a part could not be checked.
 */
import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Compilation, Consumer } from "./consumer.ts";
import {
  checkCommandLine,
  checkExample,
  checkTypes,
  installWithNpm,
  linkPrograms,
  nodeOf,
  startProject,
  writeExample,
  writeImports,
} from "./consumer.ts";
import { exitSkipped } from "./exit-codes.ts";
import {
  buildPackages,
  bundleForBrowser,
  checkImports,
  checkWithAttw,
  checkWithPublint,
  linkDependencies,
  packAll,
  specifiersOf,
  tarballOf,
  unpack,
} from "./packed.ts";
import type { Manifest } from "./packed-contents.ts";
import { checkContents, checkPrepack, manifestOf, readPacked } from "./packed-contents.ts";

const root = dirname(import.meta.dirname);
const packages = join(root, "packages");

interface Packed {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly tarball: string;
}

/** What somebody has who installs the packages; the first is all that `npm test` tries. */
const nodes = ["node24", "node22"] as const;

const quickly: readonly Compilation[] = [
  { compiler: "typescript", resolution: "nodenext", withLibraries: false },
];
const thoroughly: readonly Compilation[] = (["typescript", "typescript5"] as const).flatMap(
  (compiler) =>
    (["nodenext", "bundler"] as const).map((resolution) => ({
      compiler,
      resolution,
      withLibraries: true,
    })),
);

interface Result {
  readonly findings: string[];
  /** What could not be checked, and why. */
  readonly skipped: string[];
}

async function checkAll(work: string, quick: boolean): Promise<Result> {
  const tarballs = join(work, "tarballs");
  await packAll(tarballs);
  const packed: Packed[] = [];
  for (const file of globSync("*/package.json", { cwd: packages }).sort()) {
    const folder = dirname(join(packages, file));
    const manifest = await manifestOf(folder);
    packed.push({ folder, manifest, tarball: join(tarballs, tarballOf(manifest)) });
  }

  const findings: string[] = [];
  for (const one of packed) findings.push(...(await checkPackage(work, one)));
  const results: Result[] = [];
  for (const node of quick ? nodes.slice(0, 1) : nodes) {
    results.push(await checkOnNode(work, packed, node, quick));
  }
  const consumer = join(work, nodes[0]);
  findings.push(...checkPlatform(consumer), ...(await checkBrowserBundle(work, consumer)));
  return {
    findings: [...findings, ...results.flatMap((result) => result.findings)],
    skipped: results.flatMap((result) => result.skipped),
  };
}

async function checkPackage(work: string, { folder, manifest, tarball }: Packed) {
  const unpacked = await unpack(tarball, join(work, "unpacked"), manifest.name);
  const found = [
    checkPrepack(manifest),
    checkContents(await readPacked(unpacked)),
    await checkWithPublint(tarball),
    specifiersOf(manifest).length > 0 ? await checkWithAttw(tarball) : [],
  ].flat();
  console.log(`${manifest.name}: ${found.length === 0 ? "ok" : `${found.length} findings`}`);
  return found.map((finding) => `packages/${folder.slice(packages.length + 1)}: ${finding}`);
}

/** Everything that is done with the packages in a project of its own, with one Node. */
async function checkOnNode(
  work: string,
  packed: readonly Packed[],
  alias: (typeof nodes)[number],
  quick: boolean,
): Promise<Result> {
  const consumer = { folder: join(work, alias), node: nodeOf(alias) };
  await startProject(consumer);
  const { findings, skipped } = await provide(consumer, packed);
  if (findings.length === 0) {
    const manifests = packed.map(({ manifest }) => manifest);
    const example = await writeExample(consumer);
    const entries = await writeImports(consumer, manifests.flatMap(specifiersOf));
    // Types are the same on every Node.
    const compilations = quick ? quickly : alias === nodes[0] ? thoroughly : [];
    for (const compilation of compilations) {
      const compiled = await checkTypes(consumer, [example, entries], compilation);
      findings.push(...compiled.findings);
      const { compiler, resolution } = compilation;
      for (const name of compiled.unsound) {
        console.log(
          `not ours: declarations of ${name} do not compile (${compiler}, ${resolution})`,
        );
      }
    }
    for (const manifest of manifests) {
      findings.push(...(await checkImports(consumer.folder, manifest, consumer.node)));
    }
    findings.push(...(await checkExample(consumer, example)));
    const withBin = manifests.find(({ bin }) => bin !== undefined);
    findings.push(...(await checkCommandLine(consumer, withBin?.version ?? "")));
  }
  const verdict = findings.length === 0 ? "ok" : `${findings.length} findings`;
  console.log(`in a project on ${alias}: ${verdict}`);
  return { findings: findings.map((finding) => `on ${alias}: ${finding}`), skipped };
}

/** Gives the project the packages: by npm, or by hand where npm cannot reach the registry. */
async function provide(consumer: Consumer, packed: readonly Packed[]): Promise<Result> {
  const types = `@types/node@${createRequire(import.meta.url)("@types/node/package.json").version}`;
  const specs = [...packed.map(({ tarball }) => tarball), types];
  const installed = await installWithNpm(consumer, specs);
  if (installed === "installed") return { findings: [], skipped: [] };
  if (installed !== "out of reach") return { findings: [installed.finding], skipped: [] };
  for (const { folder, manifest, tarball } of packed) {
    await unpack(tarball, consumer.folder, manifest.name);
    await linkDependencies(folder, consumer.folder);
    await linkPrograms(consumer, manifest);
  }
  await linkDependencies(root, consumer.folder, ["@types/node"]);
  return { findings: [], skipped: ["npm install: the npm registry cannot be reached"] };
}

/** On Node, core must get Node's SHA-256; the bundle check sees that a browser does not. */
function checkPlatform(consumer: string): string[] {
  const inCore = join(consumer, "node_modules", "@palimpsest", "core", "package.json");
  const platform = createRequire(inCore).resolve("#platform");
  const expected = join("core", "dist", "platform", "node.js");
  return platform.endsWith(expected) ? [] : [`on Node, #platform of core is ${platform}`];
}

async function checkBrowserBundle(work: string, consumer: string): Promise<string[]> {
  const { findings, code, minifiedBytes, gzippedBytes } = await bundleForBrowser(
    consumer,
    "@palimpsest/core",
  );
  const size = `${(minifiedBytes / 1024).toFixed(0)} KiB, gzipped ${(gzippedBytes / 1024).toFixed(0)} KiB`;
  console.log(`browser bundle of @palimpsest/core: ${size}`);
  const file = join(work, "bundle.mjs");
  await writeFile(file, code);
  try {
    await import(pathToFileURL(file).href);
    return findings;
  } catch (error) {
    return [...findings, `the browser bundle does not run: ${error}`];
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const quick = argv.includes("--quick");
  // In `npm test` the build is a step of its own, before this one.
  if (!quick && (await buildPackages()) !== 0) return 1;
  const work = await mkdtemp(join(tmpdir(), "palimpsest-packages-"));
  try {
    const { findings, skipped } = await checkAll(work, quick);
    for (const finding of findings) console.error(finding);
    for (const part of skipped) console.error(`skipped: ${part}`);
    if (findings.length > 0) return 1;
    return skipped.length > 0 ? exitSkipped : 0;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

process.exitCode = await main(process.argv.slice(2));
