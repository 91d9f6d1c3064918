import fc from "fast-check";
import { expect, it } from "vitest";
import { CommandIndex } from "./command-index.ts";

/** Portions of ids to be taken in at once; few enough ids that some come again. */
const portions = fc.array(
  fc.record({
    size: fc.oneof(fc.nat(3), fc.nat(90), fc.nat(1_500)),
    mutable: fc.boolean(),
    first: fc.nat(5_000),
  }),
  { maxLength: 12 },
);

it("holds what a map would, and what it held before is not changed by what comes", () => {
  let most = 0;
  fc.assert(
    fc.property(portions, (list) => {
      const model = new Map<string, number>();
      let index = CommandIndex.empty;
      let revision = 0;
      const kept: [CommandIndex, Map<string, number>][] = [[index, new Map()]];
      for (const { size, mutable, first } of list) {
        let next: Pick<CommandIndex, "asImmutable"> & {
          set(commandId: string, revision: number): typeof next;
        } = mutable ? index.asMutable() : index;
        for (let n = 0; n < size; n += 1) {
          model.set(`c${first + n}`, revision);
          next = next.set(`c${first + n}`, revision);
          revision += 1;
        }
        index = next.asImmutable();
        kept.push([index, new Map(model)]);
      }
      most = Math.max(most, model.size);
      for (const [one, expected] of kept) {
        expect(one.isEmpty()).toBe(expected.size === 0);
        for (const id of ["c0", "never", ...model.keys()]) {
          expect(one.get(id)).toBe(expected.get(id));
        }
      }
    }),
    { numRuns: 60 },
  );
  // More than one level was merged into another.
  expect(most).toBeGreaterThan(3_000);
});

it("reads through a copy that changes, and leaves what it was copied from", () => {
  const before = CommandIndex.empty.set("a", 1).set("b", 2);
  const copy = before.asMutable();
  copy.set("b", 3).set("c", 4);
  expect(["a", "b", "c", "d"].map((id) => copy.get(id))).toEqual([1, 3, 4, undefined]);
  expect(["a", "b", "c"].map((id) => before.get(id))).toEqual([1, 2, undefined]);
  expect([copy.isEmpty(), copy.clear().isEmpty()]).toEqual([false, true]);
});
