import { open, readFile } from "node:fs/promises";
import { MAX_LINE_BYTES } from "./lines.ts";

const MEBIBYTE = 1024 * 1024;

/** What compressed files begin with, and what unpacks them. */
const PACKED = [
  [[0x1f, 0x8b], "gzip data: unpack it with gunzip first"],
  [[0x28, 0xb5, 0x2f, 0xfd], "Zstandard data: unpack it with unzstd first"],
  [[0x50, 0x4b, 0x03, 0x04], "a ZIP archive: unpack it first"],
] as const;

/** What a file holds in which no session was found, for whoever wanted to import it. */
export async function foreignContent(file: string, bytes: number): Promise<string> {
  const start = await firstBytes(file);
  const packed = PACKED.find(([magic]) => magic.every((byte, i) => start[i] === byte));
  if (packed !== undefined) return packed[1];
  if (!/^\uFEFF?\s*[[{]/.test(start.toString("utf8"))) return "text of another kind";
  if (bytes > MAX_LINE_BYTES) {
    return (
      `${Math.ceil(bytes / MEBIBYTE)} MiB of JSON that is not JSONL, and one document is read ` +
      `up to ${MAX_LINE_BYTES / MEBIBYTE} MiB: write it as JSONL, a message a line`
    );
  }
  return isCutOff(await readFile(file, "utf8")) ? "JSON that is cut off" : "JSON of another kind";
}

async function firstBytes(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64) });
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

/** True when a bracket or a quote is never closed. */
function isCutOff(text: string): boolean {
  let depth = 0;
  let isQuoted = false;
  for (let i = 0; i < text.length; i += 1) {
    const char = text[i];
    if (char === '"') isQuoted = !isQuoted;
    else if (isQuoted) i += char === "\\" ? 1 : 0;
    else if (char === "[" || char === "{") depth += 1;
    else if (char === "]" || char === "}") depth -= 1;
  }
  return isQuoted || depth > 0;
}
