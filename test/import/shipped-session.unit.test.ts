import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { makeSession } from "../../fixtures/make-session/make-session.ts";

const shipped = readFileSync(new URL("../../fixtures/session.jsonl", import.meta.url), "utf8");

describe("the shipped session", () => {
  it("is what its script writes, byte for byte", () => {
    expect(makeSession() === shipped).toBe(true);
  });

  it("holds both statements about the retry budget, the operator's after the config's", () => {
    const config = shipped.indexOf("retry_budget = 3");
    const operator = shipped.indexOf("raised to 7 pending rollout, see ticket");
    expect(config).toBeGreaterThan(0);
    expect(operator).toBeGreaterThan(config);
  });

  it("names no machine", () => {
    const homes = new Set(shipped.match(/\/(?:home|Users)\/[a-z]+/g));
    expect([...homes]).toEqual(["/home/dev"]);
  });
});
