import { describe, expect, it } from "vitest";
import type { JsonObject } from "../json/json.ts";
import type { StoredEvent } from "../log/port.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import type { UpcasterTable } from "./upcast.ts";
import { EventNotUnderstoodError, upcast, upcastWith, windowUpcasters } from "./upcast.ts";

const stored = (more: Partial<StoredEvent> = {}, schemaVersion: unknown = 1): StoredEvent => ({
  stream: "window-w",
  revision: 7,
  id: "6d1f9c52-5c52-8a52-9c52-6d1f9c526d1f",
  type: "SpansRead",
  data: { spanIds: ["s1"] },
  metadata: { by: "host/h", schemaVersion } as JsonObject,
  ...more,
});

const fields = (data: unknown) => data as JsonObject;

/** Version 1 called the list `spans`, version 2 `ids`; version 3 is today's. */
const table: UpcasterTable = {
  SpansRead: {
    1: (data) => ({ ids: fields(data).spans ?? null }),
    2: (data) => ({ spanIds: fields(data).ids ?? null }),
  },
  WindowRendered: {
    2: (data) => ({ ...fields(data), renderer: "given in version 3" }),
  },
};

describe("upcastWith", () => {
  it("takes an event of an old version through every version in between", () => {
    const old = stored({ data: { spans: ["s1", "s2"] } });
    expect(upcastWith(table, 3, old)).toEqual({ ...old, data: { spanIds: ["s1", "s2"] } });
  });

  it("starts at the version that the event has", () => {
    const old = stored({ data: { ids: ["s1"] } }, 2);
    expect(upcastWith(table, 3, old)).toEqual({ ...old, data: { spanIds: ["s1"] } });
  });

  it("leaves an event of the current version as it is", () => {
    const event = stored({}, 3);
    expect(upcastWith(table, 3, event)).toBe(event);
  });

  it("leaves alone what a version did not change, and types it knows no step for", () => {
    const rendered = stored({ type: "WindowRendered", data: { at: 1 } });
    expect(upcastWith(table, 3, rendered).data).toEqual({
      at: 1,
      renderer: "given in version 3",
    });
    const opened = stored({ type: "WindowOpened", data: { window: "w" } });
    expect(upcastWith(table, 3, opened)).toEqual(opened);
  });

  it("changes neither the stored event nor its metadata: digests are of what is stored", () => {
    const old = stored({ data: { spans: ["s1"] } });
    const before = structuredClone(old);
    expect(upcastWith(table, 3, old).metadata).toEqual(before.metadata);
    expect(old).toEqual(before);
  });

  it("refuses a newer version", () => {
    expect(() => upcastWith(table, 3, stored({}, 4))).toThrow("schema version 4, newer than 3");
  });

  it.each(["SpanForgotten", "", "__proto__", "constructor", "toString"])(
    "refuses the unknown type %j",
    (type) => {
      expect(() => upcastWith(table, 3, stored({ type }))).toThrow("unknown type");
    },
  );

  it("refuses an event that does not decode", () => {
    const event = stored({ data: null, metadata: null, undecodable: new Uint8Array([0xff]) });
    expect(() => upcastWith(table, 3, event)).toThrow("it is not JSON");
  });

  it.each([undefined, null, 0, -1, 1.5, "1", [1]])("refuses the schema version %j", (version) => {
    const event = stored({ metadata: { by: "host/h", schemaVersion: version ?? null } });
    expect(() => upcastWith(table, 3, event)).toThrow("no schema version");
  });

  it.each([null, "text", 1, [], {}])("refuses metadata that is %j", (metadata) => {
    expect(() => upcastWith(table, 3, stored({ metadata }))).toThrow("no schema version");
  });

  it("names the event in its error", () => {
    const event = stored({ type: "SpanForgotten" });
    try {
      upcastWith(table, 3, event);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(EventNotUnderstoodError);
      expect(error).toMatchObject({
        name: "EventNotUnderstoodError",
        stream: "window-w",
        revision: 7,
        eventId: event.id,
      });
    }
  });
});

describe("upcast", () => {
  it("reads the current version through a table that names known types only", () => {
    const event = stored({}, SCHEMA_VERSION);
    expect(upcast(event)).toBe(event);
    expect(Object.keys(windowUpcasters)).toEqual([]);
  });

  it("refuses the version after the current one", () => {
    expect(() => upcast(stored({}, SCHEMA_VERSION + 1))).toThrow(EventNotUnderstoodError);
  });
});
