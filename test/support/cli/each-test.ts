import { afterEach, beforeEach } from "vitest";
import type { Result } from "./palimpsest.ts";
import { lines, palimpsest, scratchFolder } from "./palimpsest.ts";

/** An empty folder of its own for each test of a file, and the command line in it. */
export interface EachTestFolder {
  readonly path: string;
  /** Runs the command line with these arguments. */
  readonly call: (...args: readonly string[]) => Promise<Result>;
  /** Sends commands through `palimpsest run`. */
  readonly run: (...commands: readonly unknown[]) => Promise<Result>;
}

export function folderForEachTest(): EachTestFolder {
  let folder: ReturnType<typeof scratchFolder> | undefined;
  const path = (): string => {
    if (folder === undefined) throw new Error("there is a folder in tests only");
    return folder.path;
  };
  beforeEach(() => {
    folder = scratchFolder();
  });
  afterEach(() => {
    folder?.remove();
    folder = undefined;
  });
  return {
    get path() {
      return path();
    },
    call: (...args) => palimpsest(path(), args),
    run: (...commands) => palimpsest(path(), ["run"], lines(...commands)),
  };
}
