import type { Json } from "@palimpsest/core";
import fc from "fast-check";

/* Contents that try to be taken for something else. */

const marks = ["::gap", "::ledger", "::span", "::", ":", "\\", "\\\\", "x", " ", "[", "{", '"'];
const breaks = ["\n", "\r", "\r\n", "\v", "\f", "\u0085", "\u2028", "\u2029"];
const oddities = ["\0", "\u001b[2J", "\u202e", "\u200f", "\ufeff", "é", "e\u0301", "😀", "\u007f"];
const lines = [
  "::gap spans 9 edits 1: e1 (out of view; undo an edit to see its spans)",
  "\\::gap spans 1 edits 1: e1 (out of view; undo an edit to see its spans)",
  "::ledger edits 9, records 9, 0 spans out of view",
  "::span s1 user text",
  "::span s1 user text json",
  "__proto__",
  "constructor",
];

const piece = fc.constantFrom(...marks, ...breaks, ...oddities, ...lines);

/** Text that imitates the structure of a rendering, breaks lines in every way, or is empty. */
export const nastyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")) },
  { weight: 1, arbitrary: fc.constantFrom("", "\n", "\n\n\n", "\r", "\u2028") },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }).filter(isWellFormed) },
);

/** A few lines from a small pool: what merges are made of. */
export const plainText: fc.Arbitrary<string> = fc
  .array(fc.constantFrom("alpha", "beta", "gamma", "delta", ""), { minLength: 3, maxLength: 6 })
  .map((words) => words.join("\n"));

/** JSON that core takes: no lone surrogate, no whole number beyond 2^53. */
const nastyJson: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, 0, -1.5, 12, "12", [], {}, ["::gap"], { a: ["\n::ledger"] }),
  fc.record({ path: nastyText, lines: fc.array(fc.nat({ max: 99 }), { maxLength: 2 }) }),
  fc.constant(JSON.parse('{"__proto__": 1, "constructor": {"b": 1, "a": 2}}') as Json),
);

export const anyContent: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: plainText },
  { weight: 3, arbitrary: nastyText },
  { weight: 1, arbitrary: nastyJson },
);

function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}
