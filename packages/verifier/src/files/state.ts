import type { Dirent } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { sha256Hex } from "#platform";
import type { Checkpoint, Checkpoints } from "../service/options.ts";
import type { KeptHeads } from "../verify/kept-heads.ts";
import { isMissing, writeWhole } from "./write.ts";

/*
 * The state of a verifier outside the store: one file for the last head of each window, one for
 * the place where it resumes. They lie in a folder for each store, so one user may verify several.
 */

const headSchema = z.object({ window: z.string(), note: z.string(), key: z.string() });
const checkpointSchema = z.object({
  after: z.string(),
  stream: z.string(),
  revision: z.int().nonnegative(),
  id: z.string(),
});

/** Where the state lies unless somebody says otherwise: the user's state folder. */
export function defaultStateFolder(): string {
  const { XDG_STATE_HOME, LOCALAPPDATA } = process.env;
  if (process.platform === "win32" && LOCALAPPDATA !== undefined) {
    return join(LOCALAPPDATA, "palimpsest");
  }
  const base = XDG_STATE_HOME ?? join(homedir(), ".local", "state");
  return join(base, "palimpsest");
}

/** `store` names the store: an absolute path or a connection string, without passwords. */
function folderOf(state: string, store: string): string {
  return join(state, sha256Hex(store).slice(0, 32));
}

/** The last head of each window as a file of its own. */
export function headsFolder(state: string, store: string): KeptHeads {
  const folder = join(folderOf(state, store), "heads");
  const fileOf = (window: string): string => {
    const name = sha256Hex(window);
    return join(folder, name.slice(0, 2), `${name.slice(2)}.json`);
  };
  return {
    async get(window) {
      const text = await textIn(fileOf(window));
      if (text === undefined) return undefined;
      const head = parsedAs(headSchema, text);
      // A damaged file must not pass for a missing one: its empty note becomes a finding.
      return head?.window === window ? head : { note: "", key: "" };
    },
    put: (window, kept) => writeWhole(fileOf(window), JSON.stringify({ window, ...kept })),
    async *windows() {
      for (const { name } of await entriesOf(folder)) {
        for (const file of await entriesOf(join(folder, name))) {
          if (!file.name.endsWith(".json")) continue;
          const text = (await textIn(join(folder, name, file.name))) ?? "";
          const head = parsedAs(headSchema, text);
          if (head !== undefined) yield head.window;
        }
      }
    },
  };
}

/** Where a verifier resumes; `target` tells apart verifiers that follow different windows. */
export function checkpointFile(state: string, store: string, target: string): Checkpoints {
  const name = `checkpoint-${sha256Hex(target).slice(0, 16)}.json`;
  const path = join(folderOf(state, store), name);
  return {
    async load(): Promise<Checkpoint | undefined> {
      const text = await textIn(path);
      return text === undefined ? undefined : parsedAs(checkpointSchema, text);
    },
    save: (checkpoint) => writeWhole(path, JSON.stringify(checkpoint)),
  };
}

async function textIn(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function parsedAs<T>(schema: z.ZodType<T>, text: string): T | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
