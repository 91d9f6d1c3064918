import { emptyRoot, nodeHash } from "./hashing.ts";

/**
 * The compact range of a tree: the roots of its perfect subtrees, the largest first, one for each
 * set bit of the size. Appending needs nothing else: O(log n) memory and, over many appends, two
 * hashes for each leaf.
 */
export class MerkleRange {
  #size = 0;
  readonly #roots: Uint8Array[] = [];

  /** Number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** Appends a leaf by its hash, 32 bytes. */
  append(leaf: Uint8Array): void {
    let node = leaf;
    for (let rest = this.#size; rest % 2 === 1; rest = Math.floor(rest / 2)) {
      node = nodeHash(this.#roots.pop() as Uint8Array, node);
    }
    this.#roots.push(node);
    this.#size += 1;
  }

  /** The root of the tree as it is now. */
  root(): Uint8Array {
    const last = this.#roots.at(-1);
    if (last === undefined) return emptyRoot();
    return this.#roots.slice(0, -1).reduceRight((right, left) => nodeHash(left, right), last);
  }
}
