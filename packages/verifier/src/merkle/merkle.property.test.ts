import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leafHash } from "./hashing.ts";
import { consistencyProof, inclusionProof } from "./proofs.ts";
import { MerkleRange } from "./range.ts";
import { verifyConsistency, verifyInclusion } from "./verify.ts";

const trees = fc.array(fc.uint8Array({ maxLength: 4 }), { maxLength: 70 });
const treesWithLeaves = fc.array(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 70 });
const treeAndPlace = treesWithLeaves.chain((data) =>
  fc.tuple(fc.constant(data), fc.nat(data.length - 1), fc.nat(data.length - 1)),
);

function rootOf(data: readonly Uint8Array[]): Uint8Array {
  const range = new MerkleRange();
  for (const one of data) range.append(leafHash(one));
  return range.root();
}

const leavesOf = (data: readonly Uint8Array[]) => (i: number) => leafHash(data[i] as Uint8Array);

const plain = (hashes: readonly Uint8Array[]) => hashes.map((hash) => [...hash]);

describe("the Merkle tree", () => {
  it("has the RFC's root at every size", () => {
    fc.assert(
      fc.property(trees, (data) => {
        expect([...rootOf(data)]).toEqual([...referenceRoot(data)]);
      }),
    );
  });

  it("proves every leaf as the RFC does, and no other leaf by that proof", () => {
    fc.assert(
      fc.property(treeAndPlace, ([data, index, other]) => {
        const proof = inclusionProof(leavesOf(data), index, data.length);
        expect(plain(proof)).toEqual(plain(referenceInclusion(index, data)));
        const [size, root] = [BigInt(data.length), rootOf(data)];
        const at = (i: number) => ({ size, root, proof, index: BigInt(i) });
        expect(verifyInclusion({ ...at(index), leaf: leavesOf(data)(index) })).toBe(true);
        const leaf = Uint8Array.from(leavesOf(data)(index), (byte) => byte ^ 1);
        expect(verifyInclusion({ ...at(index), leaf })).toBe(false);
        const same = Buffer.from(data[index] ?? []).equals(Buffer.from(data[other] ?? []));
        if (!same)
          expect(verifyInclusion({ ...at(other), leaf: leavesOf(data)(index) })).toBe(false);
      }),
    );
  });

  it("proves every prefix as the RFC does", () => {
    fc.assert(
      fc.property(treeAndPlace, ([data, place]) => {
        const first = place + 1;
        const proof = consistencyProof(leavesOf(data), first, data.length);
        expect(plain(proof)).toEqual(plain(referenceConsistency(first, data)));
        const sizes = { size1: BigInt(first), size2: BigInt(data.length) };
        const roots = { root1: rootOf(data.slice(0, first)), root2: rootOf(data) };
        expect(verifyConsistency({ ...sizes, ...roots, proof })).toBe(true);
      }),
    );
  });
});

/*
 * RFC 6962 §2.1 word for word, slow on purpose: what the files of this folder are compared with.
 * `D` is the list of leaf data, as in the RFC.
 */

function digestOf(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(createHash("sha256").update(Buffer.concat(parts)).digest());
}

/** MTH(D[n]). */
function referenceRoot(D: readonly Uint8Array[]): Uint8Array {
  const n = D.length;
  const [only] = D;
  if (only === undefined) return digestOf();
  if (n === 1) return digestOf(Uint8Array.of(0x00), only);
  const k = largestPowerBelow(n);
  return digestOf(Uint8Array.of(0x01), referenceRoot(D.slice(0, k)), referenceRoot(D.slice(k)));
}

/** PATH(m, D[n]). */
function referenceInclusion(m: number, D: readonly Uint8Array[]): Uint8Array[] {
  const n = D.length;
  if (n <= 1) return [];
  const k = largestPowerBelow(n);
  return m < k
    ? [...referenceInclusion(m, D.slice(0, k)), referenceRoot(D.slice(k))]
    : [...referenceInclusion(m - k, D.slice(k)), referenceRoot(D.slice(0, k))];
}

/** PROOF(m, D[n]) for 0 < m ≤ n. */
function referenceConsistency(m: number, D: readonly Uint8Array[]): Uint8Array[] {
  return subproof(m, D, true);
}

function subproof(m: number, D: readonly Uint8Array[], whole: boolean): Uint8Array[] {
  const n = D.length;
  if (m === n) return whole ? [] : [referenceRoot(D)];
  const k = largestPowerBelow(n);
  return m <= k
    ? [...subproof(m, D.slice(0, k), whole), referenceRoot(D.slice(k))]
    : [...subproof(m - k, D.slice(k), false), referenceRoot(D.slice(0, k))];
}

function largestPowerBelow(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}
