import type { Span } from "@palimpsest/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK, SpanTable } from "./span-table.ts";

const hex = fc.stringMatching(/^[0-9a-f]{64}$/);

/** What a fold may meet, foreign events included: odd digests, large numbers, fields of later. */
const fields = fc.record(
  {
    id: fc.stringMatching(/^[A-Za-z0-9_.:-]{1,12}$/),
    tokens: fc.oneof(fc.nat(), fc.constantFrom(2 ** 31, 2 ** 53 - 1)),
    digest: fc.oneof({ weight: 5, arbitrary: hex }, fc.constantFrom("", "AB", "g".repeat(64))),
    origin: fc.constantFrom("system", "user", "assistant", "tool", "host", "somebody"),
    kind: fc.constantFrom("text", "reasoning", "tool-call", "tool-result", "other", "image"),
    json: fc.boolean(),
    sealed: fc.boolean(),
    pinned: fc.boolean(),
    position: fc.nat(50),
    call: fc.string(),
    later: fc.record({ field: fc.nat() }),
  },
  { requiredKeys: ["id", "tokens", "digest", "origin", "kind", "json", "sealed", "pinned"] },
);

function spanAt(index: number, data: object): Span {
  const born = { index, revision: index + 3, contentRevision: index + 3, slot: index };
  return { ...born, position: index + 3, messageNumber: index, ...data } as unknown as Span;
}

/** A table without what it remembers of the objects it was given. */
function reloaded(table: SpanTable): SpanTable {
  const copy = new SpanTable();
  for (let block = 0; block * BLOCK < table.size; block += 1) {
    copy.load(table.save(block, Math.min(BLOCK, table.size - block * BLOCK)));
  }
  return copy;
}

describe("a table of spans", () => {
  it("gives every span back as it was, also after it was saved and loaded", () => {
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 40 }), (rows) => {
        const spans = rows.map((row, index) => spanAt(index, row));
        const table = new SpanTable();
        for (const span of spans) table.add(span);
        const copy = reloaded(table);
        for (const [index, span] of spans.entries()) {
          expect(table.at(index)).toEqual(span);
          expect(copy.at(index)).toEqual(span);
        }
      }),
    );
  });

  it("finds the last span of an id among the first so many", () => {
    const ids = fc.array(fc.constantFrom<string>("a", "b", "c", "dd", "ddd"), { maxLength: 30 });
    fc.assert(
      fc.property(ids, fc.nat(30), (names, size) => {
        const table = new SpanTable();
        const digest = "0".repeat(64);
        const rest = { tokens: 1, digest, origin: "user", kind: "text" };
        for (const [index, id] of names.entries()) table.add(spanAt(index, { id, ...rest }));
        for (const id of ["a", "b", "c", "dd", "ddd", "e"]) {
          const last = names.slice(0, size).lastIndexOf(id);
          const expected = last < 0 ? undefined : last;
          expect(table.find(id, size)).toBe(expected);
          expect(reloaded(table).find(id, size)).toBe(expected);
        }
      }),
    );
  });

  it("goes over many blocks, and on from a block that was loaded half full", () => {
    const rest = { tokens: 7, digest: "f".repeat(64), origin: "tool", kind: "text" };
    const span = (index: number) => spanAt(index, { id: `s${index}`, ...rest });
    const whole = new SpanTable();
    for (let index = 0; index < 3 * BLOCK; index += 1) whole.add(span(index));
    const half = new SpanTable();
    half.load(whole.save(0, BLOCK));
    half.load(whole.save(1, BLOCK / 2));
    for (let index = half.size; index < 3 * BLOCK; index += 1) half.add(span(index));
    for (const index of [0, BLOCK - 1, BLOCK, 1.5 * BLOCK, 3 * BLOCK - 1]) {
      expect(half.at(index).id).toBe(`s${index}`);
      expect(half.find(`s${index}`, half.size)).toBe(index);
    }
    expect(half.save(1, BLOCK)).toBe(whole.save(1, BLOCK));
  });
});
