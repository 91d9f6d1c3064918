import { sha256 } from "#platform";
import { concat, fromBase64, fromHex, toBase64, toHex, utf8 } from "../json/bytes.ts";
import { isUsableKey, publicKeyOf } from "./ed25519.ts";

/* Key names and ids of C2SP signed-note: a key is known by its name and a 4-byte id. */

/** Signature type of Ed25519 in signed notes. */
const ED25519 = 0x01;

/** A public key with a name, that signatures are checked with. */
export interface VerifierKey {
  /** Not empty, without white space and plus signs. */
  readonly name: string;
  /** The first 4 bytes of SHA-256 of name, line feed, type and public key, as 8 hex digits. */
  readonly id: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
}

/** A key that signs. */
export interface SignerKey extends VerifierKey {
  /** Ed25519, 32 bytes. Whoever has it can sign. */
  readonly secretKey: Uint8Array;
}

/** Non-empty, without Unicode's white space and plus signs: a name ends where the rest begins. */
const NAME = /^[^\p{White_Space}+]+$/u;

export function isKeyName(name: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a note holds none but line feeds.
  return NAME.test(name) && name.isWellFormed() && !/[\u0000-\u001f]/.test(name);
}

export function verifierKey(name: string, publicKey: Uint8Array): VerifierKey {
  if (!isKeyName(name)) throw new TypeError(`not a key name: ${JSON.stringify(name)}`);
  const typed = concat(Uint8Array.of(ED25519), publicKey);
  const id = toHex(sha256(concat(utf8(`${name}\n`), typed)).slice(0, 4));
  return { name, id, publicKey };
}

/** The key with this name and secret. Throws a TypeError for a name that no key may have. */
export function signerKey(name: string, secretKey: Uint8Array): SignerKey {
  return { ...verifierKey(name, publicKeyOf(secretKey)), secretKey };
}

/** `name+id+base64(0x01 ‖ public key)`, the form in which a key is handed to an auditor. */
export function formatVerifierKey({ name, id, publicKey }: VerifierKey): string {
  return `${name}+${id}+${toBase64(concat(Uint8Array.of(ED25519), publicKey))}`;
}

/**
 * Undefined for text that is not an Ed25519 verifier key, for a key with a wrong id, and for one
 * that nobody can own.
 */
export function parseVerifierKey(text: string): VerifierKey | undefined {
  const match = /^([^\p{White_Space}+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text);
  const bytes = match === null ? undefined : fromBase64(match[3] ?? "");
  if (match === null || bytes?.length !== 33 || bytes[0] !== ED25519) return undefined;
  if (!isKeyName(match[1] ?? "")) return undefined;
  const key = verifierKey(match[1] ?? "", bytes.slice(1));
  return key.id === match[2] && isUsableKey(key.publicKey) ? key : undefined;
}

export function keyIdBytes({ id }: VerifierKey): Uint8Array {
  return fromHex(id);
}
