import { createPrivateKey, createPublicKey, hash, sign, verify } from "node:crypto";

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

/** RFC 8410: what stands before the 32 bytes of a secret and of a public key in DER. */
const SECRET = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC = Buffer.from("302a300506032b6570032100", "hex");

/** An Ed25519 signature by the platform; undefined where it cannot. */
export function quickSign(message: Uint8Array, secretKey: Uint8Array): Uint8Array | undefined {
  try {
    const der = Buffer.concat([SECRET, secretKey]);
    return sign(null, message, createPrivateKey({ key: der, format: "der", type: "pkcs8" }));
  } catch {
    return undefined;
  }
}

/** True when the platform accepts an Ed25519 signature; false says nothing. */
export function quickVerify(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  try {
    const der = Buffer.concat([PUBLIC, publicKey]);
    const key = createPublicKey({ key: der, format: "der", type: "spki" });
    return verify(null, message, key, signature);
  } catch {
    return false;
  }
}
