import { LogError } from "../log/errors.ts";

/** The oldest Node that better-sqlite3 13 runs on, as `engines` of this package says. */
const OLDEST = { major: 22, minor: 13 };

/**
 * Throws `store-unavailable` on a Node that the driver cannot serve. Its native code would not
 * throw there but end the process, by a segmentation fault, when the first file is opened: so this
 * comes before. `version` is that of Node, as in `process.versions.node`.
 */
export function checkNodeVersion(version: string = process.versions.node): void {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return;
  throw new LogError(
    "store-unavailable",
    `a store in a file needs Node ${OLDEST.major}.${OLDEST.minor} or newer, and this is Node ` +
      `${version}, on which better-sqlite3 would end the process: run this program on a newer Node`,
  );
}
