import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { UsageError } from "./terminal/output.ts";

/**
 * Makes the folder at an absolute path, and those above it, unless they are there. One by one:
 * where a file system takes no folders, as /proc does not, the recursive way of Node never ends.
 */
export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder));
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have been first.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() === false) throw new UsageError(`${path} is not a folder`);
  return stats !== undefined;
}
