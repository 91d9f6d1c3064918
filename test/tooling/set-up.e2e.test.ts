import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const execute = promisify(execFile);
const root = dirname(dirname(import.meta.dirname));
const scripts = join(root, "scripts");

/** Stands in for npm: notes how it was called, and installs as `FAKE_INSTALL` says. */
const fakeNpm = `
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
const args = process.argv.slice(2);
if (args.includes("--version")) console.log(process.env.FAKE_NPM_VERSION ?? "10.0.0");
else {
  appendFileSync("calls", args.join(" ") + "\\n");
  if (process.env.FAKE_INSTALL !== undefined) {
    console.error(process.env.FAKE_INSTALL);
    process.exit(1);
  }
  mkdirSync("node_modules/.pnpm", { recursive: true });
  writeFileSync("node_modules/.modules.yaml", "");
  writeFileSync("node_modules/.pnpm/lock.yaml", "");
}
`;

let place = "";
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), "palimpsest set-up "));
  const files = {
    "npm-cli.js": fakeNpm,
    "package.json": JSON.stringify({ type: "module", packageManager: "pnpm@1.2.3" }),
    "pnpm-lock.yaml": "one",
    "pnpm-workspace.yaml": "",
    "packages/core/package.json": "{}",
  };
  await mkdir(join(place, "packages", "core"), { recursive: true });
  for (const [path, text] of Object.entries(files)) await writeFile(join(place, path), text);
});
afterEach(() => rm(place, { recursive: true, force: true }));

/** Runs the set-up in `place`; resolves with what it told the user. */
async function setUp(env: Readonly<Record<string, string>> = {}): Promise<string> {
  const program = `
    import { installIfNeeded, SetUpError } from ${JSON.stringify(join(scripts, "install.mjs"))};
    await installIfNeeded(process.cwd()).catch((error) => {
      if (!(error instanceof SetUpError)) throw error;
      console.error(error.message);
    });`;
  const { stdout, stderr } = await execute(
    process.execPath,
    ["--input-type=module", "--eval", program],
    { cwd: place, env: { ...process.env, npm_execpath: join(place, "npm-cli.js"), ...env } },
  );
  expect(stdout).toBe("");
  return stderr;
}

async function calls(): Promise<string[]> {
  const text = await readFile(join(place, "calls"), "utf8").catch(() => "");
  return text.split("\n").filter(Boolean);
}

const install = "exec --yes pnpm@1.2.3 -- install --frozen-lockfile";

describe("the set-up", () => {
  it("installs what the lock file names, once, with the pnpm that package.json names", async () => {
    expect(await setUp()).toMatch(/^Setting up with pnpm@1\.2\.3 .*\nSet up in \d+ s\.\n$/);
    expect(await calls()).toEqual([install]);
    expect(await setUp()).toBe("");
    expect(await calls()).toEqual([install]);
  });

  it.each([
    ["the lock file changed", "pnpm-lock.yaml", "two"],
    ["a manifest changed", "packages/core/package.json", '{"version":"2"}'],
    ["something else installed since", "node_modules/.modules.yaml", "by hand"],
  ])("installs again when %s", async (_when, path, text) => {
    await setUp();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await writeFile(join(place, path), text);
    await setUp();
    expect(await calls()).toEqual([install, install]);
    expect(await setUp()).toBe("");
  });

  it("installs again when node_modules is gone", async () => {
    await setUp();
    await rm(join(place, "node_modules"), { recursive: true });
    await setUp();
    expect(await calls()).toEqual([install, install]);
  });

  it("does not take a failed install for a finished one", async () => {
    await setUp();
    await writeFile(join(place, "pnpm-lock.yaml"), "two");
    expect(await setUp({ FAKE_INSTALL: "ERR_SOMETHING" })).toContain("ERR_SOMETHING");
    await writeFile(join(place, "pnpm-lock.yaml"), "one");
    await setUp();
    expect(await calls()).toEqual([install, install, install]);
  });

  it("says so when the registry cannot be reached", async () => {
    const told = await setUp({ FAKE_INSTALL: "GET https://registry.example: ENOTFOUND" });
    expect(told).toContain("The npm registry cannot be reached.");
  });

  it("says so when npm is too old", async () => {
    expect(await setUp({ FAKE_NPM_VERSION: "6.14.0" })).toContain("this is 6.14.0");
    expect(await calls()).toEqual([]);
  });
});

describe("child.mjs", () => {
  const wrapper = (program: string) => [
    "--input-type=module",
    "--eval",
    `import { run } from ${JSON.stringify(join(scripts, "child.mjs"))};
     process.exitCode = await run(process.execPath, ["--eval", ${JSON.stringify(program)}]);`,
  ];

  it("passes the exit code on", async () => {
    const child = spawn(process.execPath, wrapper("process.exit(7)"));
    expect(await once(child, "exit")).toEqual([7, null]);
  });

  it("passes a signal on and waits for the answer", async () => {
    const program = `process.on("SIGTERM", () => process.exit(9));
      setInterval(() => {}, 1000); console.log("ready");`;
    const child = spawn(process.execPath, wrapper(program), {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    child.kill("SIGTERM");
    expect(await once(child, "exit")).toEqual([9, null]);
  });

  it("ends with 128 and the number of the signal that killed the command", async () => {
    const child = spawn(process.execPath, wrapper('process.kill(process.pid, "SIGTERM")'));
    expect(await once(child, "exit")).toEqual([143, null]);
  });
});
