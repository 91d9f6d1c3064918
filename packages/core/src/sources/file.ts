import { createHash } from "node:crypto";
import type { BigIntStats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { SourceError } from "./errors.ts";
import type { Observation } from "./observation.ts";

/** Times that a file is read again when it was written to meanwhile. */
const ATTEMPTS = 3;

/** A named pipe with no writer must not keep the open call waiting; Windows knows no such flag. */
const READ = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/**
 * Looks at a file, by path or `file:` address, and follows symbolic links. The uri it gives is the
 * `file:` address of the absolute path. A file that is not there has the digest null; one that is
 * there and cannot be read is a SourceError.
 */
export async function observeFile(path: string | URL): Promise<Observation> {
  const absolute = typeof path === "string" && !isFileUrl(path) ? resolve(path) : toPath(path);
  const uri = pathToFileURL(absolute).href;
  return { uri, digest: await digestOfFile(absolute, uri) };
}

export function isFileUrl(uri: string): boolean {
  return /^file:/i.test(uri);
}

function toPath(url: string | URL): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    throw new SourceError("unreadable", `${url}`, `${url} is not the address of a local file`, {
      cause,
    });
  }
}

async function digestOfFile(path: string, uri: string): Promise<string | null> {
  try {
    const handle = await open(path, READ);
    try {
      return await stableDigest(handle, uri);
    } finally {
      await handle.close();
    }
  } catch (cause) {
    const code = codeOf(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    if (cause instanceof SourceError) throw cause;
    const what = code === "EISDIR" ? "not-a-file" : "unreadable";
    throw new SourceError(what, uri, `${uri} cannot be read: ${code ?? cause}`, { cause });
  }
}

/** A digest of a file as it was at one moment, not of half an old and half a new one. */
async function stableDigest(handle: FileHandle, uri: string): Promise<string> {
  let before = await statOf(handle, uri);
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const digest = await digestOf(handle);
    const after = await statOf(handle, uri);
    if (after.size === before.size && after.mtimeNs === before.mtimeNs) return digest;
    before = after;
  }
  throw new SourceError("changing", uri, `${uri} is being written to: look again later`);
}

async function statOf(handle: FileHandle, uri: string): Promise<BigIntStats> {
  const stat = await handle.stat({ bigint: true });
  if (stat.isFile()) return stat;
  throw new SourceError("not-a-file", uri, `${uri} is not a regular file`);
}

async function digestOf(handle: FileHandle): Promise<string> {
  const hash = createHash("sha256");
  const stream = handle.createReadStream({ start: 0, autoClose: false });
  for await (const chunk of stream) hash.update(chunk as Uint8Array);
  return hash.digest("hex");
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
}
