/*
 * Makes `npm start` and `npm test` work on a fresh clone: installs what the lock file names, then
 * runs a file of this repository on the Node that came with it.
 *
 *   node scripts/with-toolchain.mjs [--build] FILE [ARGUMENT...]
 *
 * This file itself runs on whatever Node the user has (20 or newer), so it is plain JavaScript and
 * imports nothing that must be installed. Set-up talks on stderr; stdout belongs to FILE.
 */
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { run } from "./child.mjs";
import { installIfNeeded, SetUpError } from "./install.mjs";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** @param {readonly string[]} argv */
async function main(argv) {
  const build = argv[0] === "--build";
  const [file, ...rest] = build ? argv.slice(1) : argv;
  if (file === undefined) throw new SetUpError("usage: with-toolchain.mjs [--build] FILE [ARG...]");

  await installIfNeeded(root);

  const bin = join(root, "node_modules", ".bin");
  const node = join(root, "node_modules", "node24", "bin", nodeName());
  if (!existsSync(node)) {
    throw new SetUpError(`${node} is missing; remove node_modules and run this again`);
  }
  const env = { ...process.env, PATH: bin + delimiter + (process.env.PATH ?? "") };
  if (build) {
    const tsc = join(root, "node_modules", "typescript", "bin", "tsc");
    /** @type {import("node:child_process").StdioOptions} */
    const stdio = ["ignore", process.stderr, process.stderr];
    const args = [tsc, "-b", join(root, "packages", "cli")];
    const code = await run(node, args, { cwd: root, env, stdio });
    if (code !== 0) return code;
  }
  return run(node, [join(root, file), ...rest], { cwd: root, env });
}

function nodeName() {
  return process.platform === "win32" ? "node.exe" : "node";
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof SetUpError)) throw error;
  process.stderr.write(`\n${error.message}\n`);
  process.exitCode = 1;
}
