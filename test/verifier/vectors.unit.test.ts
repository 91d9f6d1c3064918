import {
  canonicalJson,
  consistencyProof,
  leafHash,
  MerkleRange,
  openNote,
  parseCheckpoint,
  parseVerifierKey,
  verifyConsistency,
  verifyInclusion,
  verifySignature,
} from "@palimpsest/verifier";
import { describe, expect, it } from "vitest";
import {
  base64Bytes,
  base64List,
  hasVectors,
  hexBytes,
  parseExact,
  vectorBytes,
  vectorFiles,
  vectorsNote,
  vectorText,
} from "../support/verifier/vectors.ts";

/* The published vectors of ../shared/vectors; its README says what must come out. */

const vectors = describe.skipIf(!hasVectors);

vectors(`RFC 6962 proofs${vectorsNote}`, () => {
  it("accepts the 6 true inclusion proofs of 98 and no other", () => {
    const files = vectorFiles("merkle/inclusion/**/*.json");
    expect(files).toHaveLength(98);
    expect(files.filter((file) => isIncluded(parseExact(vectorText(file))))).toEqual(
      files.filter((file) => parseExact(vectorText(file)).wantErr === false),
    );
  });

  it("accepts the 6 true consistency proofs of 98 and no other", () => {
    const files = vectorFiles("merkle/consistency/**/*.json");
    expect(files).toHaveLength(98);
    expect(files.filter((file) => isConsistent(parseExact(vectorText(file))))).toEqual(
      files.filter((file) => parseExact(vectorText(file)).wantErr === false),
    );
  });
});

vectors(`a signed log of 15 entries${vectorsNote}`, () => {
  const words =
    "one two three four five six seven eit nain ten ileven twelf threeten fourten fivten";
  const entries = words.split(" ").map((word) => leafHash(Buffer.from(word)));
  const key = "example.com/log/testdata+33d7b496+AeHTu4Q3hEIMHNqc6fASMsq3rKNx280NI+oO5xCFkkSx";

  it("hashes to its tile of leaves", () => {
    expect(Buffer.concat(entries)).toEqual(Buffer.from(vectorBytes("tessera-log/tile/0/000.p/15")));
  });

  it("has the root that each of its 16 signed checkpoints says", () => {
    const known = [parseVerifierKey(key)].flatMap((one) => one ?? []);
    const range = new MerkleRange();
    for (let size = 0; size <= 15; size += 1) {
      const opened = openNote(vectorText(`tessera-log/checkpoint.${size}`), known);
      const head = opened.ok ? parseCheckpoint(opened.text) : undefined;
      expect(head?.size).toBe(BigInt(size));
      expect(Buffer.from(head?.root ?? [])).toEqual(Buffer.from(range.root()));
      range.append(entries[size] ?? new Uint8Array());
    }
  });

  it("is consistent from each size to the next", () => {
    const rootAt = (size: number): Uint8Array => {
      const range = new MerkleRange();
      for (const leaf of entries.slice(0, size)) range.append(leaf);
      return range.root();
    };
    for (let size = 2; size <= 15; size += 1) {
      const proof = consistencyProof((i) => entries[i] ?? new Uint8Array(), size - 1, size);
      const [size1, size2] = [BigInt(size - 1), BigInt(size)];
      const [root1, root2] = [rootAt(size - 1), rootAt(size)];
      expect(verifyConsistency({ size1, size2, root1, root2, proof })).toBe(true);
    }
  });
});

vectors(`RFC 8785${vectorsNote}`, () => {
  it.each(["arrays", "french", "structures", "unicode", "values", "weird"])(
    "writes %s byte for byte",
    (name) => {
      const value = JSON.parse(vectorText(`jcs/input/${name}.json`));
      expect(canonicalJson(value)).toBe(vectorText(`jcs/output/${name}.json`));
    },
  );
});

interface EdgeCase {
  readonly number: number;
  readonly key: string;
  readonly sig: string;
  readonly msg: string;
  readonly flags: readonly string[] | null;
}

vectors(`Ed25519 at the edges${vectorsNote}`, () => {
  const cases = (): EdgeCase[] => JSON.parse(vectorText("ed25519/ed25519vectors.json"));
  const accepted = (list: readonly EdgeCase[]): EdgeCase[] =>
    list.filter(({ key, sig, msg }) =>
      verifySignature(hexBytes(sig), Buffer.from(msg), hexBytes(key)),
    );

  it("accepts the 212 of 914 with canonical encodings and no key of small order", () => {
    const refused = ["low_order_A", "non_canonical_A", "non_canonical_R", "reencoded_k"];
    const expected = cases().filter(({ flags }) => !flags?.some((flag) => refused.includes(flag)));
    expect(cases()).toHaveLength(914);
    expect(expected).toHaveLength(212);
    expect(accepted(cases())).toEqual(expected);
  });
});

function isIncluded({ leafIdx, treeSize, root, leafHash: leaf, proof }: Record<string, unknown>) {
  return verifyInclusion({
    index: BigInt(leafIdx as string),
    size: BigInt(treeSize as string),
    leaf: base64Bytes(leaf),
    root: base64Bytes(root),
    proof: base64List(proof),
  });
}

function isConsistent({ size1, size2, root1, root2, proof }: Record<string, unknown>) {
  return verifyConsistency({
    size1: BigInt(size1 as string),
    size2: BigInt(size2 as string),
    root1: base64Bytes(root1),
    root2: base64Bytes(root2),
    proof: base64List(proof),
  });
}
