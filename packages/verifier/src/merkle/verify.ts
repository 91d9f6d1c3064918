import { equalBytes } from "../json/bytes.ts";
import { HASH_BYTES, nodeHash } from "./hashing.ts";

/*
 * Verification of proofs, RFC 9162 §2.1.3.2 and §2.1.4.2. Indices and sizes are unsigned 64-bit;
 * they are bigint here because a double would round them.
 */

/** That a tree holds a leaf, and the proof of it. */
export interface Inclusion {
  /** Index of the leaf, from 0. */
  readonly index: bigint;
  /** Number of leaves of the tree. */
  readonly size: bigint;
  /** Hash of the leaf, 32 bytes. */
  readonly leaf: Uint8Array;
  /** Root of the tree, 32 bytes. */
  readonly root: Uint8Array;
  /** Hashes of 32 bytes, from the leaf upwards. */
  readonly proof: readonly Uint8Array[];
}

/** That one tree is a prefix of another, and the proof of it. */
export interface Consistency {
  /** Number of leaves of the smaller tree. */
  readonly size1: bigint;
  /** Number of leaves of the larger tree. */
  readonly size2: bigint;
  /** Root of the smaller tree, 32 bytes. */
  readonly root1: Uint8Array;
  /** Root of the larger tree, 32 bytes. */
  readonly root2: Uint8Array;
  /** Hashes of 32 bytes, from the leaves upwards. */
  readonly proof: readonly Uint8Array[];
}

/** Sizes are below this. */
const LIMIT = 1n << 64n;

/** True when the proof shows that the tree of `size` leaves and that root holds the leaf. */
export function verifyInclusion({ index, size, leaf, root, proof }: Inclusion): boolean {
  if (index < 0n || index >= size || size >= LIMIT) return false;
  if (![leaf, ...proof].every(isHash)) return false;
  let [fn, sn, node] = [index, size - 1n, leaf];
  for (const sibling of proof) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      node = nodeHash(sibling, node);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      node = nodeHash(node, sibling);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && equalBytes(node, root);
}

/**
 * True when the proof shows that the tree of `size1` is a prefix of that of `size2`. Two trees of
 * the same size are the same when their roots are equal bytes, whatever length those have. A proof
 * from the empty tree says nothing and is refused.
 */
export function verifyConsistency({ size1, size2, root1, root2, proof }: Consistency): boolean {
  if (size1 <= 0n || size1 > size2 || size2 >= LIMIT) return false;
  if (size1 === size2) return proof.length === 0 && equalBytes(root1, root2);
  if (![root1, root2, ...proof].every(isHash)) return false;
  const isPower = (size1 & (size1 - 1n)) === 0n;
  const [first, ...rest] = isPower ? [root1, ...proof] : proof;
  if (first === undefined || (isPower && proof.length === 0)) return false;
  let [fn, sn] = [size1 - 1n, size2 - 1n];
  while (fn % 2n === 1n) [fn, sn] = [fn >> 1n, sn >> 1n];
  let [fr, sr] = [first, first];
  for (const node of rest) {
    if (sn === 0n) return false;
    if (fn % 2n === 1n || fn === sn) {
      fr = nodeHash(node, fr);
      sr = nodeHash(node, sr);
      while (fn % 2n === 0n && fn !== 0n) [fn, sn] = [fn >> 1n, sn >> 1n];
    } else {
      sr = nodeHash(sr, node);
    }
    [fn, sn] = [fn >> 1n, sn >> 1n];
  }
  return sn === 0n && equalBytes(fr, root1) && equalBytes(sr, root2);
}

function isHash(bytes: Uint8Array): boolean {
  return bytes.length === HASH_BYTES;
}
