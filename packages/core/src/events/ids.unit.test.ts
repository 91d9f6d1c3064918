import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { digestSchema, eventId, idSchema, principalSchema, windowStream } from "./ids.ts";

describe("eventId", () => {
  const base = ["w", "host/h", "c", 0] as const;

  it("is a UUIDv8 of the variant of RFC 9562, in lower case", () => {
    for (let index = 0; index < 200; index += 1) {
      expect(eventId("w", "host/h", "c", index)).toMatch(
        /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
    }
  });

  it("holds the bits of SHA-256 of the JSON array, but for version and variant", () => {
    const hash = createHash("sha256").update('["w","host/h","c",0]').digest();
    hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x80;
    hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
    const hex = hash.toString("hex", 0, 16);
    const uuid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
    expect(eventId(...base)).toBe(uuid);
  });

  it("is the same for the same append, and another for any other place in it", () => {
    const ids = [
      eventId(...base),
      eventId("v", "host/h", "c", 0),
      eventId("w", "host/i", "c", 0),
      eventId("w", "host/h", "d", 0),
      eventId("w", "host/h", "c", 1),
      eventId("w", "host/h", "c1", 0),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(eventId(...base)).toBe(ids[0]);
  });
});

describe("idSchema", () => {
  it.each(["a", "A9_.:-", "__proto__", "constructor", "-", ".", ":", "0", "x".repeat(128)])(
    "takes %j",
    (id) => {
      expect(idSchema.safeParse(id).success).toBe(true);
    },
  );

  it.each(["", " ", "a b", "a/b", "a\n", "\na", "ä", "a\u0000", "x".repeat(129), 1, null, ["a"]])(
    "refuses %j",
    (id) => {
      expect(idSchema.safeParse(id).success).toBe(false);
    },
  );
});

describe("principalSchema", () => {
  it.each(["host/h", "model/gpt-5.1", "human/a@b.example", "verifier/v:1"])("takes %j", (by) => {
    expect(principalSchema.safeParse(by).success).toBe(true);
  });

  it.each(["", "host", "host/", "/h", "robot/x", "host/a b", "host/a/b", "Host/h", "host/h\n"])(
    "refuses %j",
    (by) => {
      expect(principalSchema.safeParse(by).success).toBe(false);
    },
  );
});

it("a digest is 64 lower-case hex digits", () => {
  const digest = "0123456789abcdef".repeat(4);
  expect(digestSchema.safeParse(digest).success).toBe(true);
  for (const no of [digest.toUpperCase(), digest.slice(1), `${digest}0`, `${digest}\n`, ""]) {
    expect(digestSchema.safeParse(no).success).toBe(false);
  }
});

it("the stream of a window is named after it", () => {
  expect(windowStream("w.1")).toBe("window-w.1");
});
