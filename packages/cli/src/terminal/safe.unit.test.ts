import { describe, expect, it } from "vitest";
import { safeJson } from "./safe.ts";

describe("safeJson", () => {
  const hostile = "\u009b2J \u007f \u202e \u2066 \u200b \ufeff \u0000 \u001b[31m";
  const value = { [hostile]: [hostile, 'ü \\ " 😀'] };

  it("is the same value", () => {
    expect(JSON.parse(safeJson(value))).toEqual(value);
  });

  it("holds nothing that moves a terminal's cursor, or reorders or hides text", () => {
    expect(safeJson(value)).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  });
});
