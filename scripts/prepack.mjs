/*
 * Runs before a package is packed or published. Only pnpm replaces the `workspace:` ranges by real
 * versions, so a tarball that anything else made could not be installed. Any Node reads this file.
 */
import { existsSync } from "node:fs";

const packer = process.env.npm_config_user_agent ?? "an unknown program";
if (!packer.startsWith("pnpm/")) {
  refuse("Only pnpm replaces the workspace: ranges in package.json by versions.");
} else if (!existsSync("dist")) {
  refuse("There is no dist: the package is not built.");
}

/** @param {string} why */
function refuse(why) {
  process.stderr.write(`${why}\nIn the root of the repository, run: npm run pack:packages\n`);
  process.exitCode = 1;
}
