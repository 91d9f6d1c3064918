import { MAX_QUOTE, valueText } from "@palimpsest/core/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractClaims } from "./extract.ts";
import type { ExtractSpan } from "./extraction.ts";
import { KnownClaims } from "./known-claims.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 500 : 2_000;

const words = fc.constantFrom(
  "retry_budget",
  "retryBudget",
  "the retry budget",
  "port",
  "__proto__",
  "constructor",
  "raised to 7",
  "from 3 to",
  "is",
  "must be",
  "pending",
  "deprecated",
  "see ticket",
  "# ",
  "// ",
  "- ",
  " = ",
  ": ",
  "->",
  "3",
  "7.50",
  "true",
  '"x y"',
  "`z`",
  "[a.b]",
  "{",
  "}",
  "42 passed",
  "1 failed",
  "   12→",
  "é\u0000\ud800",
);
const lines = fc.array(fc.array(fc.oneof(words, fc.string({ maxLength: 8 })), { maxLength: 7 }), {
  maxLength: 12,
});
const spans: fc.Arbitrary<ExtractSpan> = fc
  .record({
    lines,
    origin: fc.constantFrom("user", "system", "tool"),
    tool: fc.constantFrom("bash", "edit_file"),
    source: fc.constantFrom(undefined, "a.toml", "a.yaml", "a.json", "a.md", "a.ts", ".env"),
  })
  .map(({ lines: parts, origin, tool, source }) => ({
    id: "s1",
    kind: "text",
    origin,
    tool,
    text: parts.map((line) => line.join(" ")).join("\n"),
    ...(source !== undefined && { source }),
  }));

describe("whatever the text", () => {
  it("each quote is whole lines of it, short enough, and holds the value", () => {
    fc.assert(
      fc.property(spans, (span) => {
        const whole = new Set(span.text.split("\n"));
        for (const { quote, key, value, statement } of extractClaims(span).claims) {
          expect(whole.has(quote)).toBe(true);
          expect(quote.length).toBeLessThanOrEqual(MAX_QUOTE);
          expect(quote).not.toBe("");
          expect(statement).not.toBe("");
          expect(key === undefined).toBe(value === undefined);
          if (value !== undefined) expect(quote).toContain(valueText(value));
        }
      }),
      { numRuns },
    );
  });

  it("conflicts are between two claims that are there, and it is the same every time", () => {
    fc.assert(
      fc.property(spans, (span) => {
        const found = extractClaims(span);
        for (const { a, b } of found.conflicts) {
          expect(a).not.toBe(b);
          expect(found.claims[a]).toBeDefined();
          expect(found.claims[b]).toBeDefined();
        }
        expect(extractClaims(span)).toEqual(found);
      }),
    );
  });

  it("what is known is asked without surprise", () => {
    fc.assert(
      fc.property(spans, spans, (one, other) => {
        const known = new KnownClaims();
        for (const [i, claim] of extractClaims(one).claims.entries()) {
          known.add({ ...claim, id: `c${i}` });
        }
        expect(known.conflictsWith(extractClaims(other).claims).length).toBeLessThanOrEqual(20);
      }),
    );
  });
});
