import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { link, readFile, stat, unlink } from "node:fs/promises";
import { z } from "zod";
import { fromBase64, toBase64 } from "../json/bytes.ts";
import { newSecretKey } from "../notes/ed25519.ts";
import type { SignerKey } from "../notes/key.ts";
import { isKeyName, signerKey } from "../notes/key.ts";
import { isMissing, writeWhole } from "./write.ts";

/** The key that signs, and those before it: they sign along once on each window. */
export interface KeyRing {
  readonly key: SignerKey;
  /** The oldest one first. */
  readonly retired: readonly SignerKey[];
}

/** The key file cannot be used as it is; the message says why. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

const keyFileSchema = z.strictObject({
  version: z.literal(1),
  /** The last one signs. */
  keys: z
    .array(z.strictObject({ name: z.string().refine(isKeyName), secretKey: z.string() }))
    .min(1),
});

type KeyFile = z.infer<typeof keyFileSchema>;

/** Reads the keys; a file that is not there is made, with a new key of this name. */
export async function loadKeys(path: string, name = "palimpsest"): Promise<KeyRing> {
  try {
    return await readKeys(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  await makeFile(path, { version: 1, keys: [newKey(name)] });
  return readKeys(path);
}

/** A link is made whole or not at all, so only one of two processes makes the file. */
async function makeFile(path: string, file: KeyFile): Promise<void> {
  const draft = `${path}.${randomUUID()}.new`;
  await writeWhole(draft, textOf(file));
  try {
    await link(draft, path);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
  } finally {
    await unlink(draft);
  }
}

/** Adds a new key. An old one also signs the first verdict on a window that the new one signs. */
export async function rotateKey(path: string): Promise<KeyRing> {
  const file = await readKeyFile(path);
  const name = file.keys.at(-1)?.name ?? "palimpsest";
  await writeWhole(path, textOf({ ...file, keys: [...file.keys, newKey(name)] }));
  return readKeys(path);
}

async function readKeys(path: string): Promise<KeyRing> {
  const { keys } = await readKeyFile(path);
  const retired = keys.map((one) => signerOf(path, one));
  const key = retired.pop();
  if (key === undefined) throw new KeyFileError(`${path} holds no key`);
  return { key, retired };
}

async function readKeyFile(path: string): Promise<KeyFile> {
  const { mode } = await stat(path);
  const others = constants.S_IRWXG | constants.S_IRWXO;
  if (process.platform !== "win32" && (mode & others) !== 0) {
    throw new KeyFileError(`${path} can be read by others: chmod 600 it, or make a new key`);
  }
  let parsed: unknown;
  try {
    parsed = JSON.parse(await readFile(path, "utf8"));
  } catch (error) {
    if (isMissing(error)) throw error;
    throw new KeyFileError(`${path} is not a key file`);
  }
  const file = keyFileSchema.safeParse(parsed);
  if (!file.success) throw new KeyFileError(`${path} is not a key file`);
  return file.data;
}

function signerOf(path: string, { name, secretKey }: KeyFile["keys"][number]): SignerKey {
  const bytes = fromBase64(secretKey);
  if (bytes?.length !== 32) throw new KeyFileError(`${path} holds a malformed key`);
  return signerKey(name, bytes);
}

function newKey(name: string): KeyFile["keys"][number] {
  return { name, secretKey: toBase64(newSecretKey()) };
}

function textOf(file: KeyFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}
