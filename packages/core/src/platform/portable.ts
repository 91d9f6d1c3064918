import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const encoder = new TextEncoder();

/** SHA-256 of the UTF-8 bytes of `text`, 64 lowercase hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(sha256(encoder.encode(text)));
}

/** Number of bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** Nothing: a page may forbid code from text, and a strict one reports that somebody tried. */
export function quicken(_schema: object): void {}
