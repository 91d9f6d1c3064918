import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";

/** Something the user has to put right; its message is for them. */
export class SetUpError extends Error {}

const oldestNode = 20;
const oldestNpm = 9;

/**
 * Brings node_modules to what pnpm-lock.yaml says, unless it is there already.
 *
 * @param {string} root
 */
export async function installIfNeeded(root) {
  checkNode(process.versions.node);
  const stampFile = join(root, "node_modules", ".set-up.json");
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === stampOf(root)) return;

  await checkNpm();
  // From here until the install has succeeded nothing may claim that it has.
  rmSync(stampFile, { force: true });
  const pnpm = pnpmSpec(root);
  process.stderr.write(`Setting up with ${pnpm} (the first time takes a minute) ...\n`);
  const start = Date.now();
  // CI keeps pnpm from asking whether it may replace a node_modules that something else made.
  const { code, output } = await runPnpm(root, ["install", "--frozen-lockfile"], {
    cwd: root,
    env: { ...process.env, CI: "true" },
  });
  if (code !== 0) throw new SetUpError(explain(output, code));
  writeFileSync(stampFile, stampOf(root));
  process.stderr.write(`Set up in ${((Date.now() - start) / 1000).toFixed(0)} s.\n`);
}

/**
 * Runs pnpm, in the version that package.json names, quietly; resolves with its exit code and
 * everything it printed.
 *
 * @param {string} root
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 */
export function runPnpm(root, args, options) {
  // The dashes: npm would take pnpm's options for its own.
  return npm(["exec", "--yes", pnpmSpec(root), "--", ...args], options);
}

/**
 * `pnpm@1.2.3`: the one place that names the version is package.json.
 *
 * @param {string} root
 * @returns {string}
 */
function pnpmSpec(root) {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  return manifest.packageManager;
}

/**
 * @param {readonly string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv }} options
 * @returns {Promise<{ code: number, output: string }>}
 */
function npm(args, options) {
  const [command, prefix] = npmCommand();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...prefix, ...args], {
      ...options,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stderr.on("data", (chunk) => {
      output += chunk;
    });
    child.on("error", (error) => reject(new SetUpError(`npm does not start: ${error.message}`)));
    child.on("close", (code) => resolve({ code: code ?? 1, output }));
  });
}

/**
 * Under `npm start`, npm names its own program, which needs no shell on any platform. Elsewhere
 * (under pnpm, or called by hand) it is looked up on the PATH.
 *
 * @param {string} [node] the Node that npm is to run on, where npm names its program
 * @returns {[string, string[]]}
 */
export function npmCommand(node = process.execPath) {
  const npm = process.env.npm_execpath;
  if (npm !== undefined && basename(npm) === "npm-cli.js" && existsSync(npm)) {
    return [node, [npm]];
  }
  return ["npm", []];
}

/**
 * Everything that decides whether an install would change something: what is wanted (lock file
 * and manifests), by which program and for which platform, and what is there (pnpm rewrites these
 * two files whenever it installs, so an install by hand since then is noticed).
 *
 * @param {string} root
 */
function stampOf(root) {
  const packages = readdirSync(join(root, "packages")).map((name) => join("packages", name));
  const wanted = ["pnpm-lock.yaml", "pnpm-workspace.yaml", "package.json"];
  wanted.push(...packages.map((folder) => join(folder, "package.json")));
  const present = [".modules.yaml", join(".pnpm", "lock.yaml"), join(".bin", "node")];
  return JSON.stringify({
    platform: `${process.platform}-${process.arch}`,
    wanted: wanted.map((file) => [file, sha256(join(root, file))]),
    present: present.map((file) => [file, modifiedAt(join(root, "node_modules", file))]),
    linked: packages.map((folder) => [folder, existsSync(join(root, folder, "node_modules"))]),
  });
}

/** @param {string} file */
function sha256(file) {
  if (!existsSync(file)) return null;
  return createHash("sha256").update(readFileSync(file)).digest("hex");
}

/** @param {string} file */
function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** @param {string} version */
function checkNode(version) {
  if (Number.parseInt(version, 10) < oldestNode) {
    throw new SetUpError(
      `Node ${oldestNode} or newer is needed to set this up; this is ${version}.`,
    );
  }
}

async function checkNpm() {
  const { code, output } = await npm(["--version"], { cwd: process.cwd() });
  const version = output.trim();
  if (code !== 0 || Number.parseInt(version, 10) < oldestNpm) {
    const found = code === 0 ? `this is ${version}` : "npm does not run";
    throw new SetUpError(`npm ${oldestNpm} or newer is needed to set this up; ${found}.`);
  }
}

const offline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|META_FETCH_FAIL/;

/**
 * Whether a failed npm or pnpm says that it could not reach the registry.
 *
 * @param {string} output
 */
export function registryIsOutOfReach(output) {
  return offline.test(output);
}

/**
 * @param {string} output
 * @param {number} code
 */
function explain(output, code) {
  const tail = output.trimEnd().split("\n").slice(-25).join("\n");
  const why = registryIsOutOfReach(output)
    ? "The npm registry cannot be reached. Set-up needs it once; later runs work without."
    : `Set-up failed: pnpm install ended with exit code ${code}.`;
  return `${tail}\n\n${why}`;
}
