import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "./canonical.ts";
import { commandDigest, contentDigest, contentText } from "./digest.ts";

/* The vectors of RFC 8785's own repository lie beside this one and are not part of it. */
const root = resolve(import.meta.dirname, "../../../..");
const shared = process.env.PALIMPSEST_SHARED ?? join(root, "..", "shared");
const vectors = join(shared, "vectors", "jcs");
const names = existsSync(vectors) ? readdirSync(join(vectors, "input")) : [];

describe("canonicalJson", () => {
  it.skipIf(names.length === 0)(
    "is tried against the vectors of RFC 8785 (PALIMPSEST_SHARED names the folder that has them)",
    () => {
      expect(names).toHaveLength(6);
    },
  );

  it.each(names)("gives the bytes of the RFC 8785 vector %s", (name) => {
    const input = JSON.parse(readFileSync(join(vectors, "input", name), "utf8"));
    const hex = readFileSync(join(vectors, "outhex", name.replace(".json", ".txt")), "utf8");
    const bytes = Buffer.from(canonicalJson(input), "utf8");
    expect(bytes.toString("hex")).toBe(hex.replaceAll(/\s/g, ""));
    expect(bytes).toEqual(readFileSync(join(vectors, "output", name)));
  });

  it("sorts keys by UTF-16 code unit and leaves everything else in order", () => {
    const value = { "\ufb33": 1, "\ud83d\ude00": 2, b: [3, { z: 1, a: 2 }], a: null };
    expect(canonicalJson(value)).toBe(
      '{"a":null,"b":[3,{"a":2,"z":1}],"\ud83d\ude00":2,"\ufb33":1}',
    );
  });

  it("keeps a key __proto__", () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"z":1,"a":2}}'))).toBe(
      '{"__proto__":{"a":2,"z":1},"b":1}',
    );
  });

  it.each([
    [0, "0"],
    [-0, "0"],
    [1e21, "1e+21"],
    [1e-7, "1e-7"],
    [0.1 + 0.2, "0.30000000000000004"],
  ])("writes numbers as ECMAScript does: %d", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });
});

describe("contentDigest", () => {
  it("is SHA-256 of the UTF-8 of a string", () => {
    expect(contentDigest("")).toBe(
      "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(contentDigest("abc")).toBe(
      "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
  });

  it("is SHA-256 of the RFC 8785 form of other JSON, so the order of keys is nothing", () => {
    expect(contentDigest({ a: 1, b: [2] })).toBe(contentDigest('{"a":1,"b":[2]}'));
    expect(contentDigest(JSON.parse('{"b":[2],"a":1}'))).toBe(contentDigest({ a: 1, b: [2] }));
    expect(contentDigest(null)).toBe(contentDigest("null"));
  });

  it("is taken of a string as it is, not of its JSON", () => {
    expect(contentText("a\n")).toBe("a\n");
    expect(contentText(["a\n"])).toBe('["a\\n"]');
  });
});

describe("commandDigest", () => {
  it("does not depend on the order of keys", () => {
    expect(commandDigest({ command: "show", at: 1 })).toBe(
      commandDigest({ at: 1, command: "show" }),
    );
  });

  it("differs for a string, which is quoted here", () => {
    expect(commandDigest("abc")).not.toBe(contentDigest("abc"));
  });
});
