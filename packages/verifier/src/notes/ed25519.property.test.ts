import { ed25519 as curves } from "@noble/curves/ed25519.js";
import { sha512 } from "@noble/hashes/sha2.js";
import fc from "fast-check";
import { expect, it } from "vitest";
import * as node from "../platform/node.ts";
import * as portable from "../platform/portable.ts";
import { isUsableKey, publicKeyOf, sign, slowVerify, verifySignature } from "./ed25519.ts";

/* The platform's Ed25519 makes it quicker, and nothing else. */

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

it("signs the same bytes with the platform's Ed25519 and without", () => {
  fc.assert(
    fc.property(bytes(32), fc.uint8Array(), (secretKey, message) => {
      const quick = node.quickSign(message, secretKey);
      expect(portable.quickSign(message, secretKey)).toBeUndefined();
      expect([...sign(message, secretKey)]).toEqual([...(quick ?? [])]);
      const publicKey = publicKeyOf(secretKey);
      const signature = sign(message, secretKey);
      expect(node.quickVerify(signature, message, publicKey)).toBe(true);
      expect(slowVerify(signature, message, publicKey)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

it("accepts nothing for the platform's yes that it would not accept without", () => {
  fc.assert(
    fc.property(
      bytes(32),
      fc.uint8Array({ maxLength: 8 }),
      fc.constantFrom("signature", "message", "key"),
      fc.nat(255),
      (secretKey, message, what, bit) => {
        const publicKey = publicKeyOf(secretKey);
        const signature = sign(message, secretKey);
        const damaged = { signature, message, key: publicKey };
        const target = Uint8Array.from(damaged[what]);
        const at = (bit >> 3) % Math.max(1, target.length);
        if (target.length > 0) target[at] = (target[at] ?? 0) ^ (1 << (bit & 7));
        damaged[what] = target;
        const [s, m, k] = [damaged.signature, damaged.message, damaged.key];
        expect(verifySignature(s, m, k)).toBe(slowVerify(s, m, k) && target.length === 0);
      },
    ),
    { numRuns: 60 },
  );
});

/** Encodings where implementations part: of small order, not canonical, not on the curve. */
const strangePoints = [
  "0100000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000080",
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0000000000000000000000000000000000000000000000000000000000000080",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa",
].map((hex) => Uint8Array.from(Buffer.from(hex, "hex")));

/** The order of the group and around it, 0, 1, all ones: second halves of signatures. */
const strangeScalars = [
  "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
  "ecd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010",
  "00".repeat(32),
  `01${"00".repeat(31)}`,
  "ff".repeat(32),
].map((hex) => Uint8Array.from(Buffer.from(hex, "hex")));

function curvesVerify(signature: Uint8Array, message: Uint8Array, key: Uint8Array): boolean {
  try {
    return curves.verify(signature, message, key, { zip215: false });
  } catch {
    return false;
  }
}

function isUsableToCurves(key: Uint8Array): boolean {
  try {
    return !curves.Point.fromBytes(key, false).isSmallOrder();
  } catch {
    return false;
  }
}

it("gives the answers of another implementation, for strange points and scalars too", () => {
  const point = fc.oneof(fc.constantFrom(...strangePoints), bytes(32).map(publicKeyOf), bytes(32));
  const scalar = fc.oneof(fc.constantFrom(...strangeScalars), bytes(32));
  fc.assert(
    fc.property(point, scalar, point, fc.uint8Array({ maxLength: 8 }), (r, s, key, message) => {
      expect(isUsableKey(key)).toBe(isUsableToCurves(key));
      const signature = Uint8Array.of(...r, ...s);
      expect(slowVerify(signature, message, key)).toBe(curvesVerify(signature, message, key));
    }),
    { numRuns: 150 },
  );
});

it("accepts with a component of small order what another implementation accepts", () => {
  const small = strangePoints.filter((key) => {
    try {
      return curves.Point.fromBytes(key, false).isSmallOrder();
    } catch {
      return false;
    }
  });
  expect(small.length).toBeGreaterThanOrEqual(6);
  const message = Uint8Array.of(1, 2, 3);
  for (const torsion of small.map((key) => curves.Point.fromBytes(key))) {
    // A key and an R outside the prime subgroup: only the equation with the cofactor accepts them.
    const secretKey = new Uint8Array(32).fill(7);
    const { scalar } = curves.utils.getExtendedPublicKey(secretKey);
    const key = curves.Point.fromBytes(publicKeyOf(secretKey)).add(torsion).toBytes();
    const r = 12345n;
    const R = curves.Point.BASE.multiply(r).add(torsion).toBytes();
    const hash = sha512(Uint8Array.of(...R, ...key, ...message));
    const k = curves.Point.Fn.create(BigInt(`0x${Buffer.from(hash).reverse().toString("hex")}`));
    const s = curves.Point.Fn.toBytes(curves.Point.Fn.create(r + k * scalar));
    const signature = Uint8Array.of(...R, ...s);
    expect(curvesVerify(signature, message, key)).toBe(true);
    expect(slowVerify(signature, message, key)).toBe(true);
  }
});

it("takes keys and signatures of any length for what they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.uint8Array({ maxLength: 80 }), (one, two) => {
      expect(verifySignature(one, new Uint8Array(), two)).toBe(false);
    }),
  );
  expect(node.quickSign(new Uint8Array(), new Uint8Array(5))).toBeUndefined();
});
