import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { EventLog } from "@palimpsest/core";
import type { Checkpoints, KeptHeads, VerifierKey } from "@palimpsest/verifier";
import { parseVerifierKey } from "@palimpsest/verifier";
import { checkpointFile, defaultStateFolder, headsFolder } from "@palimpsest/verifier/files";
import type { Command } from "commander";
import type { GlobalOptions } from "../options.ts";
import { checkWindowId } from "../options.ts";
import type { Use } from "../store.ts";
import { openStore } from "../store.ts";
import { UsageError } from "../terminal/output.ts";

/** What `verify`, `verifier` and `auditor` take beside the options of every call. */
export interface VerifierFlags extends GlobalOptions {
  readonly state?: string | false;
  readonly key?: readonly string[];
}

/** The window that was named on the command line; a default names none. */
export function oneWindow(command: Command): string | undefined {
  if (command.getOptionValueSource("window") === "default") return undefined;
  const window: string = command.opts<GlobalOptions>().window;
  checkWindowId(window);
  return window;
}

export function keysOf({ key = [] }: VerifierFlags): VerifierKey[] {
  return key.map((text) => {
    const parsed = parseVerifierKey(text);
    if (parsed === undefined) throw new UsageError(`--key ${JSON.stringify(text)} is not a key`);
    return parsed;
  });
}

export interface StoreState {
  readonly folder: string;
  readonly heads: KeptHeads;
  checkpoints(target: string): Checkpoints;
}

/** The state of a verifier of this store; undefined with --no-state. */
export function storeState({ state, store }: VerifierFlags): StoreState | undefined {
  if (state === false) return undefined;
  const folder = resolve(state ?? defaultStateFolder());
  const name = storeName(store);
  return {
    folder,
    heads: headsFolder(folder, name),
    checkpoints: (target) => checkpointFile(folder, name, target),
  };
}

/** The same store has one name, however its path is written; passwords are not part of it. */
function storeName(store: string): string {
  if (/^(esdb|kurrentdb)/.test(store)) return store.replace(/\/\/[^@/]*@/, "//");
  const path = resolve(store.replace(/^sqlite:/, ""));
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** Opens the store and closes it in the end. */
export async function withStore<T>(
  { store }: GlobalOptions,
  use: Use,
  task: (log: EventLog) => Promise<T>,
): Promise<T> {
  const log = await openStore(store, use);
  try {
    return await task(log);
  } finally {
    await log.close();
  }
}
