import * as ed25519 from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { quickSign, quickVerify } from "#platform";
import { toHex } from "../json/bytes.ts";

/*
 * One answer in Node and browser. Platforms differ on keys and points of small order and on the
 * equation, and a verdict must not depend on who reads it; so the answer is that of an
 * implementation in JavaScript. Where the platform has a quick one, that is only asked for a yes:
 * it checks the equation without the cofactor, which implies the one with it, and compares R byte
 * by byte with a canonical encoding. Of a key that is usable here it accepts nothing more.
 *
 * Of the two implementations by the same author this is the small one, which weighs a third of the
 * other in a browser; a test holds the answers of the two together.
 */
ed25519.hashes.sha512 = (message) => Uint8Array.from(sha512(message));

/** A new secret key, 32 bytes from the platform's source of randomness. */
export function newSecretKey(): Uint8Array {
  return ed25519.utils.randomSecretKey();
}

export function publicKeyOf(secretKey: Uint8Array): Uint8Array {
  return ed25519.getPublicKey(secretKey);
}

export function sign(message: Uint8Array, secretKey: Uint8Array): Uint8Array {
  return quickSign(message, secretKey) ?? ed25519.sign(message, secretKey);
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
  if (!isUsableKey(publicKey)) return false;
  return quickVerify(signature, message, publicKey) || slowVerify(signature, message, publicKey);
}

/** The answer that counts, for a usable key; exported for the test that compares the two. */
export function slowVerify(
  signature: Uint8Array,
  message: Uint8Array,
  publicKey: Uint8Array,
): boolean {
  try {
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    return false;
  }
}

/** Keys that were looked at before; there are few, and each look takes a square root. */
const looked = new Map<string, boolean>();
const MOST_LOOKED = 1_000;

/** False for bytes that are not a key, and for a key of small order. */
export function isUsableKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== 32) return false;
  const name = toHex(publicKey);
  const known = looked.get(name);
  if (known !== undefined) return known;
  if (looked.size >= MOST_LOOKED) looked.clear();
  const isUsable = isPoint(publicKey);
  looked.set(name, isUsable);
  return isUsable;
}

function isPoint(publicKey: Uint8Array): boolean {
  try {
    return !ed25519.Point.fromBytes(publicKey, false).isSmallOrder();
  } catch {
    return false;
  }
}
