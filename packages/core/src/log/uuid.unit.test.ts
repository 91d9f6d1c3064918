import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { isUuid, UUID_BYTES, writeUuid } from "./uuid.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

it("writes the bytes of a UUID where it is told, and nowhere else", () => {
  for (let n = 0; n < 1_000; n += 1) {
    const text = randomUUID();
    const bytes = Buffer.alloc(3 * UUID_BYTES, 0xee);
    expect(writeUuid(text, bytes, UUID_BYTES)).toBe(true);
    expect(bytes.toString("hex")).toBe(
      `${"ee".repeat(16)}${text.replaceAll("-", "")}${"ee".repeat(16)}`,
    );
  }
});

it("tells a UUID from every text that differs from one in a character", () => {
  const text = randomUUID();
  const others = [
    "",
    "-",
    "0",
    "9",
    ":",
    "/",
    "a",
    "f",
    "g",
    "`",
    "A",
    "F",
    "\0",
    "\n",
    "é",
    "\u{1f600}",
  ];
  for (let at = 0; at <= text.length; at += 1) {
    for (const other of others) {
      for (const end of [at, at + 1]) {
        const changed = text.slice(0, at) + other + text.slice(end);
        expect([changed, isUuid(changed)]).toEqual([changed, UUID.test(changed)]);
      }
    }
  }
});

it.each([undefined, null, 7, {}, [randomUUID()], Symbol("id")])("takes %o for none", (value) => {
  expect(isUuid(value as string)).toBe(false);
});
