import type { SpawnSyncReturns } from "node:child_process";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";

const cli = fileURLToPath(new URL("../../packages/cli", import.meta.url));
const recorder = new URL("../support/cli/record-loaded.ts", import.meta.url).href;

const folder = folderForEachTest();

const SERVER = ["--store", "esdb://host:secret@localhost:2113"];

/** Runs a copy of the command that was installed without its optional peer; gives its output. */
function installedAlone(): (...args: readonly string[]) => SpawnSyncReturns<string> {
  const copy = join(folder.path, "installed");
  for (const name of ["bin", "dist", "package.json"]) {
    cpSync(join(cli, name), join(copy, name), { recursive: true });
  }
  const { dependencies } = JSON.parse(readFileSync(join(cli, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    const link = join(copy, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(cli, "node_modules", name), link, "junction");
  }
  const program = join(copy, "bin", "palimpsest.mjs");
  return (...args) =>
    spawnSync(process.execPath, [program, ...args], { cwd: folder.path, encoding: "utf8" });
}

/** The modules of gRPC and of the server's client that the command loads for these arguments. */
function serverModulesOf(...args: readonly string[]): string[] {
  const file = join(folder.path, "loaded");
  const program = join(cli, "bin", "palimpsest.mjs");
  const env = { ...process.env, PALIMPSEST_LOADED: file };
  spawnSync(process.execPath, ["--import", recorder, program, ...args], {
    cwd: folder.path,
    env,
  });
  const loaded = readFileSync(file, "utf8").split("\n");
  expect(loaded).toContainEqual(expect.stringContaining("cli/dist/main.js"));
  return loaded.filter((url) => /\/(@eventstore|@grpc|packages\/eventstoredb)\//.test(url));
}

describe("where the package for servers is not installed", () => {
  it.each([
    ["show", ...SERVER],
    ["verify", ...SERVER],
    ["provision", ...SERVER],
    ["doctor", ...SERVER],
    ["copy", "--from", "memory:", "--to", SERVER[1] ?? ""],
    ["show", "--store", "esdb+discover://localhost:2113?tls=false"],
    ["show", "--store", "kurrentdb://localhost:2113?tls=false"],
  ])("%s %s %s says in one line what to install, and ends with 2", (...args) => {
    const { status, stdout, stderr } = installedAlone()(...args);
    expect({ status, stdout, stderr }).toEqual({
      status: 2,
      stdout: "",
      stderr:
        "a store on a server needs @palimpsest/eventstoredb: " +
        "run `npm install @palimpsest/eventstoredb`\n",
    });
  });

  it("everything else goes on", () => {
    const run = installedAlone();
    expect(run("show", "--store", "memory:").stderr).toMatch("window main is not open");
    expect(run("--version").status).toBe(0);
  });
});

describe("gRPC and the client of the server", () => {
  it("are not loaded for a store in a file, nor for help", async () => {
    await folder.run({ command: "openWindow" });
    expect(serverModulesOf("show")).toEqual([]);
    expect(serverModulesOf("--help")).toEqual([]);
  });

  it("are loaded when a server is named", () => {
    const loaded = serverModulesOf("show", "--store", "esdb://");
    expect(loaded).toContainEqual(expect.stringContaining("/@grpc/grpc-js/"));
    expect(loaded).toContainEqual(expect.stringContaining("/@eventstore/db-client/"));
  });
});
