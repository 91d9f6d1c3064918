import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leafHash } from "./hashing.ts";
import { consistencyProof, inclusionProof } from "./proofs.ts";
import { MerkleRange } from "./range.ts";
import { referenceConsistency, referenceInclusion, referenceRoot } from "./reference.ts";
import { verifyConsistency, verifyInclusion } from "./verify.ts";

const trees = fc.array(fc.uint8Array({ maxLength: 4 }), { minLength: 1, maxLength: 70 });
const treeAndPlace = trees.chain((data) =>
  fc.tuple(fc.constant(data), fc.nat(data.length - 1), fc.nat(data.length - 1)),
);

function rootOf(data: readonly Uint8Array[]): Uint8Array {
  const range = new MerkleRange();
  for (const one of data) range.append(leafHash(one));
  return range.root();
}

const leavesOf = (data: readonly Uint8Array[]) => (i: number) => leafHash(data[i] as Uint8Array);

describe("the Merkle tree", () => {
  it("has the RFC's root at every size", () => {
    fc.assert(
      fc.property(trees, (data) => {
        expect(rootOf(data)).toEqual(referenceRoot(data));
      }),
    );
  });

  it("proves every leaf as the RFC does, and no other leaf by that proof", () => {
    fc.assert(
      fc.property(treeAndPlace, ([data, index, other]) => {
        const proof = inclusionProof(leavesOf(data), index, data.length);
        expect(proof).toEqual(referenceInclusion(index, data));
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
        expect(proof).toEqual(referenceConsistency(first, data));
        const sizes = { size1: BigInt(first), size2: BigInt(data.length) };
        const roots = { root1: rootOf(data.slice(0, first)), root2: rootOf(data) };
        expect(verifyConsistency({ ...sizes, ...roots, proof })).toBe(true);
      }),
    );
  });
});
