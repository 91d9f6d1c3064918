import { sha256 } from "#platform";

/* RFC 6962 §2.1: leaves and nodes are hashed under different prefixes, so neither passes for the
   other. */

const LEAF = 0x00;
const NODE = 0x01;

/** SHA-256 of 0x00 and the data of the leaf. */
export function leafHash(data: Uint8Array): Uint8Array {
  const input = new Uint8Array(data.length + 1);
  input[0] = LEAF;
  input.set(data, 1);
  return sha256(input);
}

/** Bytes of a hash. */
export const HASH_BYTES = 32;
/** Most nodes have two children of this size; hashing is synchronous, so they share their input. */
const pair = new Uint8Array(1 + 2 * HASH_BYTES);

/** SHA-256 of 0x01 and the two children. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  const isUsual = left.length === HASH_BYTES && right.length === HASH_BYTES;
  const input = isUsual ? pair : new Uint8Array(1 + left.length + right.length);
  input[0] = NODE;
  input.set(left, 1);
  input.set(right, 1 + left.length);
  return sha256(input);
}

/** The root of the tree without leaves. */
export function emptyRoot(): Uint8Array {
  return sha256(new Uint8Array());
}
