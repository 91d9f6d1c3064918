import canonicalize from "canonicalize";
import fc from "fast-check";
import { expect, it } from "vitest";
import { canonicalJson } from "./canonical.ts";
import type { Json } from "./json.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 500 : 2_000;

it("gives the bytes of the canonicalize library for every JSON value", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      expect(canonicalJson(value as Json)).toBe(canonicalize(value));
    }),
    { numRuns },
  );
});
