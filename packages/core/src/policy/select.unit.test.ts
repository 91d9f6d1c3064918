import { beforeAll, describe, expect, it } from "vitest";
import { countSteps, startCounting } from "../testing/work.ts";
import type { Policy } from "./document.ts";
import { parsePolicy } from "./document.ts";
import type { SpanFacts } from "./facts.ts";
import { MAX_SPAN_PROBLEMS, selectCandidates } from "./select.ts";

beforeAll(startCounting);

const window = { tokens: 1_000, budget: 2_000, epoch: 3 };
const alone = (id: string) => [id];

function spans(count: number, facts: (i: number) => Partial<SpanFacts> = () => ({})): SpanFacts[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `s${i}`,
    kind: "text",
    origin: "tool",
    tokens: 100,
    age: count - i,
    idle: count - i,
    reads: 0,
    claims: 0,
    contested: false,
    pinned: false,
    edited: false,
    ...facts(i),
  }));
}

function policy(rank: string, keep = "false", targetTokens = 0): Policy {
  const parsed = parsePolicy(JSON.stringify({ name: "p", targetTokens, keep, rank }));
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return parsed.policy;
}

describe("selectCandidates", () => {
  it("takes the lowest rank first and stops as soon as the target is reached", () => {
    const selection = selectCandidates(policy("-span.age", "false", 750), window, spans(10), alone);
    expect(selection).toEqual({
      ids: ["s0", "s1", "s2"],
      tokens: 700,
      problems: [],
      problemCount: 0,
    });
  });

  it("breaks ties by the order given", () => {
    const { ids } = selectCandidates(policy("1", "false", 700), window, spans(10), alone);
    expect(ids).toEqual(["s0", "s1", "s2"]);
  });

  it("picks nothing when the window is small enough already", () => {
    const failing = policy("1 / 0", "false", 1_000);
    expect(selectCandidates(failing, window, spans(10), alone)).toEqual({
      ids: [],
      tokens: 1_000,
      problems: [],
      problemCount: 0,
    });
  });

  it("keeps pinned spans whatever the policy says", () => {
    const some = spans(3, (i) => ({ pinned: i === 1 }));
    expect(selectCandidates(policy("1"), window, some, alone).ids).toEqual(["s0", "s2"]);
  });

  it("takes a bundle whole, whether or not it names the span that was asked about", () => {
    const some = spans(3, (i) => ({ age: [1, 9, 5][i] ?? 0 }));
    const others = (id: string) => (id === "s1" ? ["s0"] : id === "s0" ? ["s1"] : []);
    const { ids } = selectCandidates(policy("-span.age", "false", 850), window, some, others);
    expect(ids).toEqual(["s1", "s0"]);
  });

  it.each([
    ["kept", { reads: 1 }],
    ["pinned", { pinned: true }],
  ])("passes over a bundle with a %s member, from whichever side it is met", (_, facts) => {
    const some = spans(3, (i) => (i === 2 ? facts : {}));
    const bundles = (id: string) => (id === "s1" ? ["s1"] : ["s0", "s2"]);
    const selection = selectCandidates(policy("1", "span.reads > 0"), window, some, bundles);
    expect(selection).toMatchObject({ ids: ["s1"], problemCount: 0 });
  });

  it("passes over a bundle with a member that it knows nothing of", () => {
    const bundles = (id: string) => (id === "s0" ? ["s0", "__proto__"] : [id]);
    expect(selectCandidates(policy("1"), window, spans(2), bundles).ids).toEqual(["s1"]);
  });

  it("asks for each bundle once", () => {
    const asked: string[] = [];
    const all = spans(50).map(({ id }) => id);
    selectCandidates(policy("1"), window, spans(50), (id) => {
      asked.push(id);
      return all;
    });
    expect(asked).toEqual(["s0"]);
  });

  it("keeps a span whose evaluation fails, says why, and keeps its bundle", () => {
    const some = spans(3, (i) => ({ reads: i }));
    const bundles = (id: string) => (id === "s2" ? ["s2"] : ["s0", "s1"]);
    const selection = selectCandidates(policy("10 / span.reads"), window, some, bundles);
    expect(selection.ids).toEqual(["s2"]);
    expect(selection.problems).toEqual([
      { spanId: "s0", problem: expect.stringContaining("division by zero") },
    ]);
  });

  it("lists a bounded number of problems and counts the rest", () => {
    const selection = selectCandidates(policy("0.0 / 0.0"), window, spans(500), alone);
    expect(selection.ids).toEqual([]);
    expect(selection.problems).toHaveLength(MAX_SPAN_PROBLEMS);
    expect(selection.problems[0]).toEqual({
      spanId: "s0",
      problem: "rank: is NaN, not a finite number",
    });
    expect(selection.problemCount).toBe(500);
  });

  it("sees the window too", () => {
    const keep = "window.epoch == 3 && window.tokens * 2 == window.budget && span.reads == 0";
    expect(selectCandidates(policy("1", keep), window, spans(5), alone).ids).toEqual([]);
  });

  it("takes four times the steps for four times the spans", async () => {
    const hard = policy(
      "double(span.reads + 1) / double(span.idle + 1)",
      'span.pinned || span.origin == "system" || span.age < 10',
    );
    const big = { tokens: 480_000, budget: 0, epoch: 1 };
    const select = (count: number) => {
      const many = spans(count, (i) => ({ reads: i % 7, pinned: i % 50 === 0, tokens: i % 97 }));
      return countSteps(() => selectCandidates(hard, big, many, alone));
    };
    const [quarter, whole] = [await select(2_500), await select(10_000)];
    expect(whole.value.ids.length).toBeGreaterThan(9_000);
    expect(whole.steps).toBeLessThan(5 * quarter.steps);
  });
});
