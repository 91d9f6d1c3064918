import { describe, expect, it } from "vitest";
import { parsePolicy } from "./document.ts";
import type { SpanFacts } from "./facts.ts";
import type { ReadyPolicy } from "./ready.ts";
import { READY_POLICIES, readyPolicy } from "./ready.ts";
import { selectCandidates } from "./select.ts";

function span(id: string, facts: Partial<SpanFacts> = {}): SpanFacts {
  return {
    id,
    kind: "text",
    origin: "assistant",
    tokens: 100,
    age: 50,
    idle: 50,
    reads: 0,
    claims: 0,
    contested: false,
    pinned: false,
    edited: false,
    ...facts,
  };
}

/** What a ready policy prunes of these spans, all of which it could prune, in its order. */
function pruned(
  ready: ReadyPolicy,
  spans: readonly SpanFacts[],
  bundles = (id: string) => [id],
): readonly string[] {
  const parsed = parsePolicy(readyPolicy(ready, 0));
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const tokens = spans.reduce((sum, one) => sum + one.tokens, 0);
  const selection = selectCandidates(
    parsed.policy,
    { tokens, budget: 0, epoch: 1 },
    spans,
    bundles,
  );
  expect(selection.problemCount).toBe(0);
  return selection.ids;
}

const result = { kind: "tool-result", origin: "tool" } as const;

describe("the ready policies", () => {
  it.each(READY_POLICIES)("%s parses, with the target that was asked for", (ready) => {
    expect(parsePolicy(readyPolicy(ready, 60_000))).toMatchObject({
      ok: true,
      policy: { targetTokens: 60_000 },
    });
  });

  it.each(READY_POLICIES)("%s keeps system spans, pinned ones and the last messages", (ready) => {
    const spans = [
      span("rules", { origin: "system" }),
      span("pinned", { pinned: true }),
      span("new", { age: 9 }),
      span("old", { age: 10 }),
    ];
    expect(pruned(ready, spans)).toEqual(["old"]);
  });

  it("recency × frequency: unread and idle spans go before those read often or lately", () => {
    const spans = [
      span("read-often", { reads: 20, idle: 50 }),
      span("read-lately", { reads: 1, idle: 1 }),
      span("never-read", { idle: 50 }),
      span("older", { idle: 90 }),
    ];
    expect(pruned("recency-frequency", spans)).toEqual([
      "older",
      "never-read",
      "read-often",
      "read-lately",
    ]);
  });

  it("oldest tool output first: results by age, then other words, a person's never", () => {
    const spans = [
      span("question", { origin: "user", age: 90 }),
      span("answer", { age: 80 }),
      span("late-result", { ...result, age: 20 }),
      span("early-result", { ...result, age: 70 }),
    ];
    expect(pruned("oldest-tool-output", spans)).toEqual(["early-result", "late-result", "answer"]);
  });

  it("oldest tool output first: a call leaves with its result", () => {
    const spans = [
      span("call", { kind: "tool-call", age: 31, tokens: 5 }),
      span("result", { ...result, age: 30 }),
    ];
    expect(pruned("oldest-tool-output", spans, () => ["call", "result"])).toEqual([
      "result",
      "call",
    ]);
  });

  it("largest first", () => {
    const spans = [span("s"), span("m", { tokens: 200 }), span("l", { tokens: 300 })];
    expect(pruned("largest-first", spans)).toEqual(["l", "m", "s"]);
  });

  it("keep-errors: what failed stays, with its call", () => {
    const spans = [
      span("call", { kind: "tool-call" }),
      span("failed", { ...result, status: "error" }),
      span("denied", { ...result, status: "denied" }),
      span("passed", { ...result, status: "ok" }),
    ];
    const bundles = (id: string) => (id === "call" || id === "failed" ? ["call", "failed"] : [id]);
    expect(pruned("keep-errors", spans, bundles)).toEqual(["passed"]);
  });
});
