import { describe, expect, it } from "vitest";
import type { SpanFacts } from "./facts.ts";
import type { PolicyFunction } from "./function.ts";
import { policyFunction, selectWithFunction } from "./function.ts";

const window = { tokens: 10, budget: 0, epoch: 1 };
const span: SpanFacts = {
  id: "s1",
  kind: "text",
  origin: "tool",
  tokens: 10,
  age: 1,
  idle: 1,
  reads: 0,
  claims: 0,
  contested: false,
  pinned: false,
  edited: false,
};
const pickAll: PolicyFunction["select"] = (_, spans) => spans.map(({ id }) => id);

describe("a host's own function", () => {
  it("is named and digested: by its name and source text, or as the host says", () => {
    const policy = policyFunction("all", pickAll);
    expect(policy.digest).toMatch(/^[0-9a-f]{64}$/);
    expect(policyFunction("all", pickAll)).toEqual(policy);
    expect(policyFunction("other", pickAll).digest).not.toBe(policy.digest);
    expect(policyFunction("all", () => []).digest).not.toBe(policy.digest);
    expect(policyFunction("all", pickAll, "f".repeat(64)).digest).toBe("f".repeat(64));
  });

  it("picks ids", () => {
    const selected = selectWithFunction(policyFunction("all", pickAll), window, [span]);
    expect(selected).toEqual({ ok: true, ids: ["s1"] });
  });

  it.each<[string, (window: unknown, spans: unknown) => void]>([
    ["the window", (facts) => Object.assign(facts as object, { tokens: 0 })],
    ["the list", (_, spans) => (spans as unknown[]).push(1)],
    ["a span", (_, spans) => Object.assign((spans as object[])[0] ?? {}, { pinned: true })],
  ])("cannot change %s", (_, change) => {
    const policy = policyFunction("changes", (facts, spans) => {
      change(facts, spans);
      return [];
    });
    expect(selectWithFunction(policy, window, [span])).toEqual({
      ok: false,
      problem: expect.stringContaining("it threw: "),
    });
    expect(window.tokens).toBe(10);
    expect(span.pinned).toBe(false);
  });

  it.each([
    ["no array", "s1", "it did not return an array"],
    ["a promise", Promise.resolve([]), "it did not return an array"],
    ["objects", [{ id: "s1" }], "it returned something that is not a span id"],
    ["numbers", [1], "it returned something that is not a span id"],
  ])("selects nothing when it returns %s", (_, answer, problem) => {
    const policy = policyFunction("odd", () => answer as never);
    expect(selectWithFunction(policy, window, [span])).toEqual({ ok: false, problem });
  });

  it("selects nothing when it throws something other than an error", () => {
    const policy = policyFunction("throws", () => {
      throw Object.create(null) as Error;
    });
    expect(selectWithFunction(policy, window, [span])).toEqual({
      ok: false,
      problem: "it threw: no error object",
    });
  });
});
