import { expect, it } from "vitest";
import { isEventId } from "../events/ids.ts";
import type { DecidedEvent } from "./decide.ts";
import { envelop } from "./envelope.ts";

const context = {
  window: "w",
  commandId: "c",
  commandDigest: "0".repeat(64),
  at: "2026-01-02T03:04:05.678Z",
  first: 4,
};
const read = (by: string): DecidedEvent => {
  return { type: "SpansRead", data: { spanIds: ["s"] }, by };
};
const decided = [read("host/h"), read("human/p"), read("host/h")];

it("gives each event an id of its place in the append, in the name of who sent it", () => {
  for (const [index, { id, metadata }] of envelop(decided, context).entries()) {
    expect(isEventId(id, "w", metadata.by, "c", index)).toBe(true);
  }
});

it("gives the same command other ids each time, so that no store takes one for the other", () => {
  const appends = [1, 2, 3].map(() => envelop(decided, context).map(({ id }) => id));
  expect(new Set(appends.flat()).size).toBe(9);
  expect(new Set(appends.flat().map((id) => id.slice(0, 24))).size).toBe(3);
});
