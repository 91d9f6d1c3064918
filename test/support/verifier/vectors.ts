import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

/*
 * The published vectors lie beside the repository, not in it. `PALIMPSEST_SHARED` names another
 * folder; where there is none, the tests that need it say so in their titles.
 */

const root = resolve(import.meta.dirname, "../../..");
const shared = process.env.PALIMPSEST_SHARED ?? resolve(root, "../shared");
const folder = join(shared, "vectors");

export const hasVectors: boolean = existsSync(folder);

/** What a title ends with when the vectors are not there. */
export const vectorsNote: string = hasVectors ? "" : " (skipped: no ../shared/vectors)";

export function vectorText(path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

export function vectorBytes(path: string): Uint8Array {
  return readFileSync(join(folder, path));
}

/** Paths below the folder of vectors. */
export function vectorFiles(pattern: string): string[] {
  return globSync(pattern, { cwd: folder }).sort();
}

/** JSON with whole numbers of 16 digits and more as strings, which `BigInt` reads exactly. */
export function parseExact(text: string): Record<string, unknown> {
  return JSON.parse(text.replace(/:\s*(\d{16,})/g, ': "$1"')) as Record<string, unknown>;
}

export function base64Bytes(value: unknown): Uint8Array {
  return Uint8Array.from(Buffer.from(typeof value === "string" ? value : "", "base64"));
}

export function base64List(value: unknown): Uint8Array[] {
  return Array.isArray(value) ? value.map(base64Bytes) : [];
}

export function hexBytes(value: unknown): Uint8Array {
  return Uint8Array.from(Buffer.from(String(value), "hex"));
}
