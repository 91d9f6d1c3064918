import fc from "fast-check";
import { expect, it } from "vitest";
import * as node from "./node.ts";
import * as portable from "./portable.ts";

const text = fc.string({ unit: "binary" });

it("hashes and counts alike in Node and in a browser", () => {
  fc.assert(
    fc.property(text, fc.uint8Array(), (one, bytes) => {
      expect([...portable.sha256(bytes)]).toEqual([...node.sha256(bytes)]);
      expect([...portable.sha256Text(one)]).toEqual([...node.sha256Text(one)]);
      expect(portable.sha256Hex(one)).toBe(node.sha256Hex(one));
      expect(portable.utf8Length(one)).toBe(node.utf8Length(one));
    }),
  );
});
