import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { folderForEachTest } from "../support/cli/each-test.ts";
import type { Result } from "../support/cli/palimpsest.ts";
import { lines, palimpsest } from "../support/cli/palimpsest.ts";

const program = fileURLToPath(new URL("../../packages/cli/bin/palimpsest.mjs", import.meta.url));

const folder = folderForEachTest();
const { call } = folder;
beforeEach(() => {
  writeFileSync(join(folder.path, "file"), "no folder\n");
  writeFileSync(join(folder.path, "chat.json"), '[{"role":"user","content":"Hello."}]\n');
});

const open = lines({ command: "openWindow" });

function expectOneLine({ code, stdout, stderr }: Result, says: string | RegExp): void {
  expect(stderr).toMatch(says);
  expect(stderr.trimEnd().split("\n")).toHaveLength(1);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
}

describe("what the file system refuses is one line and exit 2", () => {
  it.each([
    ["commands that are not there", ["run", "--file", "missing"], /open missing: no such file/],
    ["a folder for commands", ["run", "--file", "."], /--file \. is a folder/],
    ["a store below a file", ["run", "--store", "file/x/s.db"], /file is not a folder/],
    [
      "an import below a file",
      ["import", "chat.json", "--store", "file/x/s.db"],
      /file is not a folder/,
    ],
    ["a store that is a folder", ["run", "--store", "."], /not a file/],
    ["a folder for a recording", ["import", "."], /is not a file/],
    ["a recording below a file", ["import", "file/x"], /file\/x cannot be read: not a directory/],
    ["a key below a file", ["verifier", "--key-file", "file/x", "--print-key"], /not a directory/],
  ])("%s", async (_, args, says) => {
    const before = readdirSync(folder.path);
    expectOneLine(await call(...args), says);
    expect(readdirSync(folder.path)).toEqual(before);
  });

  it("a state folder, rendered bytes and a copy below a file", async () => {
    await palimpsest(folder.path, ["run", "--store", "s.db"], open);
    const store = ["--store", "s.db"];
    expectOneLine(await call("verify", ...store, "--state", "file/x"), /not a directory/);
    const rendered = await call("verify", ...store, "--rendered", "missing");
    expectOneLine(rendered, /"missing" cannot be read: no such file/);
    expectOneLine(
      await call("copy", "--from", "s.db", "--to", "file/x/t.db"),
      /file is not a folder/,
    );
  });

  it.skipIf(!existsSync("/proc/self"))("a folder that can never be made", async () => {
    expectOneLine(await call("run", "--store", "/proc/x/s.db"), /mkdir \/proc\/x: no such file/);
  });

  it("a recording and a store that this user may not read", async (context) => {
    await palimpsest(folder.path, ["run", "--store", "s.db"], open);
    for (const name of ["chat.json", "s.db"]) chmodSync(join(folder.path, name), 0o000);
    chmodSync(folder.path, 0o777);
    // Root may read everything.
    const user = process.getuid?.() === 0 ? { uid: 65_534 } : {};
    const as = (...args: string[]): Result => {
      const child = spawnSync(process.execPath, [program, ...args], { cwd: folder.path, ...user });
      const [stdout, stderr] = [String(child.stdout), String(child.stderr)];
      return { code: child.status ?? -1, stdout, stderr };
    };
    if (as("--help").code !== 0) context.skip("root, and nobody else may run the program");
    expectOneLine(as("import", "chat.json"), /chat\.json cannot be read: permission denied/);
    expectOneLine(as("show", "--store", "s.db"), /may not be read/);
  });
});

describe("--json with exit 2", () => {
  it.each([
    ["wrong-use", ["show", "--frobnicate"]],
    ["wrong-use", ["show", "--store", "missing.db"]],
    ["store-unavailable", ["run", "--store", "."]],
    ["unreadable", ["import", "missing"]],
    ["ENOENT", ["run", "--file", "missing"]],
  ])("gives one document too: %s", async (code, args) => {
    const result = await call(...args, "--json");
    const { outcome, refusals } = JSON.parse(result.stdout);
    expect({ code: result.code, outcome }).toEqual({ code: 2, outcome: "refused" });
    expect(refusals).toHaveLength(1);
    expect(refusals[0].code).toBe(code);
    expect(result.stderr).toContain(refusals[0].message);
  });
});
