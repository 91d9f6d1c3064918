import { contentDigest } from "@palimpsest/core";
import type { Span } from "@palimpsest/core/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BLOCK } from "./span-block.ts";
import type { SavedSpans } from "./span-table.ts";
import { SpanTable } from "./span-table.ts";

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
    call: fc.constantFrom("c1", "c2", "c3"),
    group: fc.constantFrom("c1", "g"),
    message: fc.record({ id: fc.constantFrom("c1", "m"), index: fc.nat(3) }),
    later: fc.record({ field: fc.nat() }),
  },
  { requiredKeys: ["id", "tokens", "digest", "origin", "kind", "json", "sealed", "pinned"] },
);

function spanAt(index: number, data: object): Span {
  const born = { index, revision: index + 3, contentRevision: index + 3, slot: index };
  return { ...born, position: index + 3, messageNumber: index, ...data } as unknown as Span;
}

/** The first `size` spans, in blocks. */
function saved(table: SpanTable, size: number): SavedSpans[] {
  return Array.from({ length: Math.ceil(size / BLOCK) }, (_, block) => {
    const text = table.save(block, Math.min(BLOCK, size - block * BLOCK));
    return { text, digest: contentDigest(text) };
  });
}

/** A table without what it remembers of the objects it was given. */
function reloaded(table: SpanTable): SpanTable {
  const copy = new SpanTable();
  copy.load(saved(table, table.size));
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

  it("finds the spans of a call, a group and a message among the first so many", () => {
    const bonds = ["call", "group", "message"] as const;
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 40 }), fc.nat(40), (rows, size) => {
        const spans = rows.map((row, index) => spanAt(index, row));
        const table = new SpanTable();
        for (const span of spans) table.add(span);
        for (const one of [table, reloaded(table)]) {
          for (const name of ["c1", "c2", "g", "m", "nobody"]) {
            const found = bonds.map((bond) => one.bound(bond, name, size));
            const indices = (has: (span: Span) => boolean) =>
              spans.slice(0, size).flatMap((span, index) => (has(span) ? [index] : []));
            expect(found).toEqual([
              indices(({ call }) => call === name),
              indices(({ group }) => group === name),
              indices(({ message }) => message?.id === name),
            ]);
          }
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

  const rest = {
    ...{ tokens: 7, digest: "f".repeat(64), origin: "tool", kind: "text" },
    ...{ json: false, sealed: false, pinned: false },
  };
  const span = (index: number, more: object = {}) =>
    spanAt(index, { id: `s${index}`, call: `c${Math.floor(index / 2)}`, ...rest, ...more });
  const tableOf = (size: number): SpanTable => {
    const table = new SpanTable();
    for (let index = 0; index < size; index += 1) table.add(span(index));
    return table;
  };
  const whole = tableOf(3 * BLOCK + 5);

  it.each([
    ["a block that was loaded half full", 0, 1.5 * BLOCK],
    ["blocks of which it has none", 0, 3 * BLOCK],
    ["blocks of which it has some and a part of one", 1.5 * BLOCK, 2.5 * BLOCK],
    ["blocks of which it has all and more", 2.5 * BLOCK, BLOCK + 7],
  ])("goes on from %s", (_name, own, loaded) => {
    const table = tableOf(own);
    expect(table.load(saved(whole, loaded))).toBe(loaded);
    for (let index = table.size; index < 3 * BLOCK; index += 1) table.add(span(index));
    for (const index of [0, BLOCK - 1, BLOCK, 1.5 * BLOCK, 3 * BLOCK - 1]) {
      expect(table.find(`s${index}`, table.size)).toBe(index);
      expect(table.at(index)).toEqual(span(index));
      const first = index - (index % 2);
      expect(table.bound("call", `c${first / 2}`, table.size)).toEqual([first, first + 1]);
    }
    expect(table.find("nobody", table.size)).toBe(undefined);
    expect(saved(table, 3 * BLOCK)).toEqual(saved(whole, 3 * BLOCK));
  });

  it("finds the last span of an id, also in a block that is not open yet", () => {
    const again = tableOf(2 * BLOCK - 1);
    again.add(span(2 * BLOCK - 1, { id: "s3" }));
    for (const own of [0, BLOCK]) {
      const table = tableOf(own);
      table.load(saved(again, 2 * BLOCK));
      expect(table.find("s3", BLOCK)).toBe(3);
      expect(table.find("s3", 2 * BLOCK)).toBe(2 * BLOCK - 1);
    }
  });

  it("gives back what spans have beside their columns, also of blocks nobody looked at", () => {
    const table = new SpanTable();
    const odd = (index: number) =>
      span(index, { message: { id: `m${index}`, index: 0 }, tool: { name: "bash" } });
    // More blocks than stay unpacked.
    for (let index = 0; index < 40 * BLOCK; index += 1) table.add(odd(index));
    for (let round = 0; round < 2; round += 1) {
      for (let index = 0; index < table.size; index += BLOCK / 2 + 1) {
        expect(table.at(index)).toEqual(odd(index));
        expect(table.bound("message", `m${index}`, table.size)).toEqual([index]);
      }
    }
  });

  it.each([{ id: "other" }, { digest: "0".repeat(64) }, { digest: "no digest" }])(
    "loads no block that has another span: %j",
    (other) => {
      const table = new SpanTable();
      table.add(span(0, other));
      expect(table.has(0, span(0, other))).toBe(true);
      expect(() => table.load(saved(whole, BLOCK))).toThrow(/other spans were born there/);
      expect(() => table.load(saved(whole, 2 * BLOCK))).toThrow(/other spans were born there/);
    },
  );
});
