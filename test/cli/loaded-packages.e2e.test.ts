import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { scratchFolder } from "../support/cli/palimpsest.ts";

/* What a call loads is what everyone who runs it waits for: so the packages are named. */

const folder = scratchFolder();
afterAll(() => folder.remove());

const program = fileURLToPath(new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url));
const recorder = new URL("../support/cli/record-loaded.ts", import.meta.url).href;

/** The packages of which the call loaded a module, in the order of their names. */
function packagesLoadedBy(args: readonly string[]): string[] {
  const list = join(folder.path, "loaded.txt");
  const { error } = spawnSync(process.execPath, ["--import", recorder, program, ...args], {
    cwd: folder.path,
    env: { ...process.env, PALIMPSEST_LOADED: list },
  });
  if (error !== undefined) throw error;
  const packages = readFileSync(list, "utf8").split("\n").map(packageOf);
  return [...new Set(packages)].filter((name) => name !== undefined).sort();
}

/** The package that a module belongs to; undefined for a module of Node's own. */
function packageOf(url: string): string | undefined {
  const own = /\/packages\/([^/]+)\/(?:bin|dist)\//.exec(url)?.[1];
  if (own !== undefined) return `@palimpsest/${own}`;
  if (url.startsWith("node:")) return undefined;
  return /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? url;
}

it.each([
  [["--help"]],
  [["--version"]],
  [[]],
  [["no-such-call"]],
  [["import", "--help"]],
  [["help", "verifier"]],
  [["undo"]],
])("the command line alone is loaded for %j", (args) => {
  expect(packagesLoadedBy(args)).toEqual(["@palimpsest/cli", "commander"]);
});

beforeAll(() => {
  const messages = ["Hello.", "Anybody?"].map((content) => ({ role: "user", content }));
  const lines = messages.map((message) => `${JSON.stringify(message)}\n`);
  writeFileSync(join(folder.path, "chat.jsonl"), lines.join(""));
  packagesLoadedBy(["import", "chat.jsonl"]);
});

const sibling = (name: string) => `@palimpsest/${name}`;

/** Calls on an embedded store, and packages that only other calls are made of. */
const onEmbedded: readonly (readonly [args: string[], foreign: string[]])[] = [
  [
    ["import", "chat.jsonl"],
    [sibling("projections"), sibling("verifier"), "rxjs"],
  ],
  [["show"], [sibling("import"), sibling("verifier"), "rxjs", "cli-progress"]],
  [["status"], [sibling("import"), sibling("verifier"), "rxjs", "cli-progress"]],
  [
    ["diff", "0", "1"],
    [sibling("import"), sibling("verifier"), "cli-progress"],
  ],
  [
    ["verify", "--no-state"],
    [sibling("import"), "cli-progress"],
  ],
  [["copy", "--from", ".palimpsest/store.db", "--to", "copy.db"], [sibling("import")]],
];

it.each(onEmbedded)(
  "%j on an embedded store loads its driver, no server's client",
  (args, foreign) => {
    const packages = packagesLoadedBy(args);
    expect(packages).toContain("better-sqlite3");
    expect(packages).toContain("@palimpsest/core");
    const isServers = (name: string) =>
      /^@(eventstore|grpc)\/|^@palimpsest\/eventstoredb$/.test(name);
    expect(packages.filter((name) => isServers(name) || foreign.includes(name))).toEqual([]);
  },
);
