import { nodeHash } from "./hashing.ts";
import { MerkleRange } from "./range.ts";

/** Gives the hash of the leaf at an index; proofs are made from these alone. */
export type LeafHashes = (index: number) => Uint8Array;

/** The audit path of leaf `index` in the tree of the first `size` leaves (RFC 6962 §2.1.1). */
export function inclusionProof(leaves: LeafHashes, index: number, size: number): Uint8Array[] {
  if (!(Number.isSafeInteger(index) && Number.isSafeInteger(size) && index >= 0 && index < size)) {
    throw new RangeError(`no leaf ${index} in a tree of size ${size}`);
  }
  const path: Uint8Array[] = [];
  let [from, to] = [0, size];
  while (to - from > 1) {
    const middle = from + largestPowerBelow(to - from);
    if (index < middle) {
      path.unshift(rootOf(leaves, middle, to));
      to = middle;
    } else {
      path.unshift(rootOf(leaves, from, middle));
      from = middle;
    }
  }
  return path;
}

/** That the tree of `first` leaves is a prefix of that of `second` (RFC 6962 §2.1.2). */
export function consistencyProof(leaves: LeafHashes, first: number, second: number): Uint8Array[] {
  const sizes = Number.isSafeInteger(first) && Number.isSafeInteger(second);
  if (!(sizes && first > 0 && first <= second)) {
    throw new RangeError(`a tree of size ${first} proves nothing about one of size ${second}`);
  }
  const path: Uint8Array[] = [];
  let [from, to] = [0, second];
  // Down to the largest subtree that both trees share; the old root stands for it when it is whole.
  while (first < to) {
    const middle = from + largestPowerBelow(to - from);
    if (first <= middle) {
      path.unshift(rootOf(leaves, middle, to));
      to = middle;
    } else {
      path.unshift(rootOf(leaves, from, middle));
      from = middle;
    }
  }
  return from === 0 ? path : [rootOf(leaves, from, to), ...path];
}

function rootOf(leaves: LeafHashes, from: number, to: number): Uint8Array {
  if (to - from === 1) return leaves(from);
  if (to - from === 2) return nodeHash(leaves(from), leaves(from + 1));
  const range = new MerkleRange();
  for (let index = from; index < to; index += 1) range.append(leaves(index));
  return range.root();
}

function largestPowerBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
