import { windowEventSchemas } from "@palimpsest/core/events";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkEnvelope } from "./envelope.ts";

const anything = fc.anything({ withNullPrototype: true, withBigInt: true, withSparseArray: true });

const almostStored = fc.record({
  stream: fc.constantFrom("window-w1", "window-", "verdict-w1", ""),
  revision: fc.nat(),
  id: fc.uuid(),
  type: fc.oneof(fc.constantFrom(...Object.keys(windowEventSchemas)), fc.string()),
  data: anything,
  metadata: fc.oneof(anything, fc.record({ schemaVersion: fc.constantFrom(0, 1, 2, 1e9) })),
});

describe("checkEnvelope", () => {
  it("answers any value with findings, never with an exception", () => {
    fc.assert(
      fc.property(fc.oneof(anything, almostStored), (value) => {
        expect(checkEnvelope(value).length).toBeGreaterThan(0);
      }),
    );
  });
});
