import fc from "fast-check";
import { expect, it } from "vitest";
import { checkHistory } from "../support/algebra/check.ts";
import type { PureWindow } from "../support/algebra/pure.ts";
import { opened, runAll } from "../support/algebra/pure.ts";
import { admit, call, evict, redo, result, rewrite, undo } from "../support/algebra/say.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 300 : 1_000;

const valid: PureWindow = runAll(opened, [
  admit("a", { origin: "system" }),
  call("c", "k"),
  result("r", "k"),
  admit("b", { group: "g" }),
  rewrite("e1", ["b"], "p"),
  evict("e2", ["p"]),
  undo("e1", { strategy: "cascade", as: "u" }),
  redo("e1"),
  { command: "rewind", to: 4, as: "x" },
]);

/** A value of an event that is replaced by one of another event, or by anything at all. */
const replacement = fc.oneof(
  fc.constantFrom("a", "b", "p", "k", "g", "e1", "e2", "u", "x", "rewrite", "undo", "rewind"),
  fc.nat({ max: 20 }),
  fc.constantFrom(null, undefined, [], {}, true),
  fc.jsonValue({ maxDepth: 2 }),
);

it("the check is total: anything may stand in the place of an event", () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.jsonValue(), fc.constant(undefined))), (events) => {
      expect(checkHistory(events)).toHaveLength(events.length);
    }),
  );
});

it("the check is total: anything may stand in the place of a field", () => {
  const field = fc.record({ event: fc.nat(), field: fc.nat(), value: replacement });
  fc.assert(
    fc.property(fc.array(field, { minLength: 1, maxLength: 4 }), (changes) => {
      const events = JSON.parse(JSON.stringify(valid.events)) as Record<string, unknown>[];
      for (const { event, field: at, value } of changes) {
        replaceLeaf(events[event % events.length] ?? {}, at, value);
      }
      expect(Array.isArray(checkHistory(events))).toBe(true);
    }),
    { numRuns },
  );
});

/** Replaces the n-th leaf, or what holds it, of an event. */
function replaceLeaf(event: Record<string, unknown>, n: number, value: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const collect = (holder: Record<string, unknown>): void => {
    for (const key of Object.keys(holder)) {
      places.push([holder, key]);
      const inner = holder[key];
      if (typeof inner === "object" && inner !== null) collect(inner as Record<string, unknown>);
    }
  };
  collect(event);
  const [holder, key] = places[n % places.length] ?? [event, "type"];
  holder[key] = value;
}
