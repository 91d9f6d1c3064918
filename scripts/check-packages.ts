/* Packs every package and checks what a user would install. Needs a build; exits 1 on findings. */
import { globSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  bundleForBrowser,
  checkContents,
  checkImports,
  checkWithAttw,
  checkWithPublint,
  codeEntries,
  linkDependencies,
  manifestOf,
  pack,
  unpack,
} from "./packed.ts";

const packages = join(dirname(import.meta.dirname), "packages");

async function checkAll(work: string): Promise<string[]> {
  const consumer = join(work, "consumer");
  const tarballs = join(work, "tarballs");
  await mkdir(tarballs, { recursive: true });
  const packed = [];
  for (const file of globSync("*/package.json", { cwd: packages }).sort()) {
    const folder = dirname(join(packages, file));
    const manifest = await manifestOf(folder);
    const tarball = await pack(folder, tarballs);
    const unpacked = await unpack(tarball, consumer, manifest.name);
    await linkDependencies(folder, consumer);
    packed.push({ manifest, tarball, unpacked });
  }

  const findings: string[] = [];
  for (const { manifest, tarball, unpacked } of packed) {
    const hasCode = codeEntries(manifest).length > 0;
    const found = [
      await checkContents(unpacked),
      await checkWithPublint(tarball),
      hasCode ? await checkWithAttw(tarball) : [],
      await checkImports(consumer, manifest),
    ].flat();
    console.log(`${manifest.name}: ${found.length === 0 ? "ok" : `${found.length} findings`}`);
    findings.push(...found.map((finding) => `${manifest.name}: ${finding}`));
  }
  findings.push(...checkPlatform(consumer), ...(await checkBrowserBundle(work, consumer)));
  return findings;
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

const work = await mkdtemp(join(tmpdir(), "palimpsest-packages-"));
try {
  const findings = await checkAll(work);
  for (const finding of findings) console.error(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
} finally {
  await rm(work, { recursive: true, force: true });
}
