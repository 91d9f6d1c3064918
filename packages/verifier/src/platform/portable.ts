import { sha256 as nobleSha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";

const encoder = new TextEncoder();

/** SHA-256 of the bytes, 32 bytes. */
export function sha256(bytes: Uint8Array): Uint8Array {
  return nobleSha256(bytes);
}

/** SHA-256 of the UTF-8 bytes of `text`, 64 lowercase hex digits. */
export function sha256Hex(text: string): string {
  return bytesToHex(nobleSha256(encoder.encode(text)));
}

/** Number of bytes of `text` in UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/** SHA-256 of the UTF-8 bytes of `text`, 32 bytes. */
export function sha256Text(text: string): Uint8Array {
  return nobleSha256(encoder.encode(text));
}

/** An Ed25519 signature by the platform: browsers have none that is synchronous. */
export function quickSign(_message: Uint8Array, _secretKey: Uint8Array): Uint8Array | undefined {
  return undefined;
}

/** True when the platform accepts an Ed25519 signature; false says nothing. */
export function quickVerify(
  _signature: Uint8Array,
  _message: Uint8Array,
  _publicKey: Uint8Array,
): boolean {
  return false;
}
