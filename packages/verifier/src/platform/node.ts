import { hash } from "node:crypto";

/*
 * Digests come as text and are put into Node's pool of small buffers: as buffers of their own they
 * would each be an allocation outside the heap, two for every event of a window.
 */

/** SHA-256 of the bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return Buffer.from(hash("sha256", bytes, "binary"), "latin1");
}

/** SHA-256 of the UTF-8 bytes of `text`, 64 lowercase hex digits. */
export function sha256Hex(text: string): string {
  return hash("sha256", text, "hex");
}

/** Number of bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return Buffer.byteLength(text, "utf8");
}

/** SHA-256 of the UTF-8 bytes of `text`, 32 bytes. */
export function sha256Text(text: string): Uint8Array {
  return Buffer.from(hash("sha256", text, "binary"), "latin1");
}
