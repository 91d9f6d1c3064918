import { describe, expect, it } from "vitest";
import { verifySignature } from "./ed25519.ts";
import { formatVerifierKey, parseVerifierKey, signerKey } from "./key.ts";

const alice = signerKey("alice", new Uint8Array(32).fill(1));

describe("a verifier key", () => {
  it("is read as it is written", () => {
    const key = parseVerifierKey(formatVerifierKey(alice));
    expect(key).toMatchObject({ name: "alice", id: alice.id });
  });

  it("is refused when its id is another, or it is of small order", () => {
    const [name, , base64] = formatVerifierKey(alice).split("+");
    expect(parseVerifierKey(`${name}+00000000+${base64}`)).toBeUndefined();
    const identity = Buffer.concat([Buffer.from([1, 1]), Buffer.alloc(31)]);
    expect(parseVerifierKey(`x+00000000+${identity.toString("base64")}`)).toBeUndefined();
  });

  it("verifies nothing with a key or signature of another length", () => {
    expect(verifySignature(new Uint8Array(3), new Uint8Array(), alice.publicKey)).toBe(false);
    expect(verifySignature(new Uint8Array(64), new Uint8Array(), new Uint8Array(3))).toBe(false);
  });
});
