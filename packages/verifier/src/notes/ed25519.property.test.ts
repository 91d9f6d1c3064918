import fc from "fast-check";
import { expect, it } from "vitest";
import * as node from "../platform/node.ts";
import * as portable from "../platform/portable.ts";
import { publicKeyOf, sign, slowVerify, verifySignature } from "./ed25519.ts";

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

it("takes keys and signatures of any length for what they are", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), fc.uint8Array({ maxLength: 80 }), (one, two) => {
      expect(verifySignature(one, new Uint8Array(), two)).toBe(false);
    }),
  );
  expect(node.quickSign(new Uint8Array(), new Uint8Array(5))).toBeUndefined();
});
