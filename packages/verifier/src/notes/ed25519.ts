import { ed25519 } from "@noble/curves/ed25519.js";

/*
 * One implementation for Node and browser, in JavaScript: the Ed25519 of WebCrypto differs between
 * engines on keys and points of small order, and a verdict must not depend on who reads it.
 */

/** A new secret key, 32 bytes from the platform's source of randomness. */
export function newSecretKey(): Uint8Array {
  return ed25519.utils.randomSecretKey();
}

export function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secretKey);
}

export function sign(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
  return ed25519.sign(message, secretKey);
}

/**
 * The strict reading of RFC 8032 and FIPS 186-5 (canonical encodings only), and in addition no
 * public key of small order: such a key has no secret, and one signature under it fits many
 * messages.
 */
export function verifySignature(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  try {
    if (ed25519.Point.fromBytes(publicKey, false).isSmallOrder()) return false;
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** False for bytes that are no key or a key of small order. */
export function isUsableKey(publicKey: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder();
  } catch {
    return false;
  }
}
