import { eventId, SCHEMA_VERSION } from "@palimpsest/core/events";
import { describe, expect, it } from "vitest";
import { checkEnvelope } from "./envelope.ts";

const digest = "0".repeat(64);

const metadata = {
  by: "host/cli",
  commandId: "c1",
  commandDigest: digest,
  index: 0,
  count: 2,
  at: "2026-01-02T03:04:05.678Z",
  schemaVersion: SCHEMA_VERSION,
};

const sound = {
  stream: "window-w1",
  revision: 7,
  id: eventId("w1", "host/cli", "c1", 0),
  type: "RecoveryRecorded",
  data: { editId: "e1", ordinal: 1, consumed: [{ spanId: "s1", revision: 3, digest }] },
  metadata,
};

function codesOf(event: unknown): string[] {
  return checkEnvelope(event).map((finding) => finding.code);
}

describe("checkEnvelope", () => {
  it("finds nothing wrong with a sound event", () => {
    expect(checkEnvelope(sound)).toEqual([]);
  });

  it.each([null, undefined, 1, "event", [], {}, { ...sound, revision: -1 }, { ...sound, id: 7 }])(
    "says that %j is not a stored event",
    (event) => {
      expect(codesOf(event)).toEqual(["malformed-event"]);
    },
  );

  it("calls an event that cannot be read through malformed", () => {
    const trap = {
      get stream(): string {
        throw new Error("no");
      },
    };
    expect(codesOf(trap)).toEqual(["malformed-event"]);
  });

  it("reports stored bytes that are not JSON", () => {
    const event = { ...sound, data: null, metadata: null, undecodable: new Uint8Array([0xff]) };
    expect(codesOf(event)).toEqual(["undecodable-event"]);
  });

  it("reports an event of another kind of stream", () => {
    expect(codesOf({ ...sound, stream: "verdict-w1" })).toContain("wrong-stream");
  });

  it("names the place and the rule where the metadata breaks its schema", () => {
    const event = { ...sound, metadata: { ...metadata, by: "nobody", extra: 1 } };
    expect(checkEnvelope(event)).toEqual([
      { code: "invalid-metadata", message: "/by: invalid_format; the whole: unrecognized_keys" },
    ]);
  });

  it("names the place and the rule where the data break their schema", () => {
    const event = { ...sound, data: { ...sound.data, consumed: [{ spanId: "s1", revision: 3 }] } };
    expect(checkEnvelope(event)).toEqual([
      { code: "invalid-data", message: "/consumed/0/digest: invalid_type" },
    ]);
  });

  it.each(["SpanForgotten", "__proto__", "constructor"])("does not understand %s", (type) => {
    expect(codesOf({ ...sound, type })).toEqual(["event-not-understood"]);
  });

  it("does not understand a schema version newer than itself", () => {
    const event = { ...sound, metadata: { ...metadata, schemaVersion: SCHEMA_VERSION + 1 } };
    expect(codesOf(event)).toEqual(["event-not-understood"]);
  });

  it("reports an index outside its append", () => {
    const event = { ...sound, metadata: { ...metadata, count: 1, index: 1 } };
    expect(codesOf({ ...event, id: eventId("w1", "host/cli", "c1", 1) })).toEqual([
      "index-beyond-count",
    ]);
  });

  it.each([
    ["another window", { ...sound, stream: "window-w2" }],
    ["another principal", { ...sound, metadata: { ...metadata, by: "human/cli" } }],
    ["another command", { ...sound, metadata: { ...metadata, commandId: "c2" } }],
    ["another index", { ...sound, metadata: { ...metadata, index: 1 } }],
  ])("reports an id that was made for %s", (_other, event) => {
    expect(codesOf(event)).toEqual(["wrong-event-id"]);
  });

  it("reports everything that is wrong, not just the first", () => {
    const event = { ...sound, stream: "elsewhere", metadata: {}, data: {} };
    expect(codesOf(event)).toEqual(["wrong-stream", "invalid-metadata", "event-not-understood"]);
  });
});
