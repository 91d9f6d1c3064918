import { describe, expect, it } from "vitest";
import { checkIdPrefix } from "./options.ts";

describe("checkIdPrefix", () => {
  it("takes what an id may begin with", () => {
    expect(() => checkIdPrefix("run-2026.")).not.toThrow();
  });

  it.each(["", "a b", "a/", "*"])("refuses %j", (text) => {
    expect(() => checkIdPrefix(text)).toThrow("no window's id begins like this");
  });
});
