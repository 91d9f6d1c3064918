import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parsePolicy } from "./document.ts";
import type { SpanFacts } from "./facts.ts";
import { selectCandidates } from "./select.ts";

const ranks = ["1", "span.tokens", "-span.age", "span.reads * 3 - span.idle", "10 / span.reads"];
const keeps = ["false", "true", "span.contested", "span.age < 5", "span.tokens / span.reads > 3"];

const facts = fc.record({
  tokens: fc.nat(500),
  age: fc.nat(20),
  idle: fc.nat(20),
  reads: fc.nat(3),
  claims: fc.nat(2),
  contested: fc.boolean(),
  pinned: fc.boolean(),
  edited: fc.boolean(),
  /** Spans with the same number leave together. */
  bundle: fc.nat(8),
});

interface Case {
  readonly keep: string;
  readonly rank: string;
  readonly target: number;
  readonly facts: readonly (Omit<SpanFacts, "id" | "kind" | "origin"> & { bundle: number })[];
}

const cases: fc.Arbitrary<Case> = fc.record({
  keep: fc.constantFrom(...keeps),
  rank: fc.constantFrom(...ranks),
  target: fc.nat(3_000),
  facts: fc.array(facts, { maxLength: 30 }),
});

function run({ keep, rank, target, facts: list }: Case) {
  const spans = list.map((one, i): SpanFacts & { bundle: number } => ({
    id: `s${i}`,
    kind: "text",
    origin: "tool",
    ...one,
  }));
  const parsed = parsePolicy(JSON.stringify({ name: "p", targetTokens: target, keep, rank }));
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  const tokens = spans.reduce((sum, span) => sum + span.tokens, 0);
  const bundles = (id: string) => {
    const bundle = spans.find((span) => span.id === id)?.bundle;
    return spans.filter((span) => span.bundle === bundle).map((span) => span.id);
  };
  const selection = selectCandidates(
    parsed.policy,
    { tokens, budget: 0, epoch: 1 },
    spans,
    bundles,
  );
  const judge = parsed.policy.judge({ tokens, budget: 0, epoch: 1 });
  return { spans, tokens, target, selection, bundles, judge };
}

describe("any selection", () => {
  it("names live spans, each once, and never half a bundle, a kept or a pinned span", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { spans, selection, bundles, judge } = run(one);
        const picked = new Set(selection.ids);
        expect(picked.size).toBe(selection.ids.length);
        for (const span of spans) {
          if (!picked.has(span.id)) continue;
          expect(span.pinned).toBe(false);
          expect(judge(span).keep).toBe(false);
          for (const member of bundles(span.id)) expect(picked.has(member)).toBe(true);
        }
      }),
    );
  });

  it("counts what would be left, and stops only at the target or when nothing more may go", () => {
    fc.assert(
      fc.property(cases, (one) => {
        const { spans, tokens, target, selection, bundles, judge } = run(one);
        const picked = new Set(selection.ids);
        const gone = spans.filter(({ id }) => picked.has(id)).reduce((n, s) => n + s.tokens, 0);
        expect(selection.tokens).toBe(tokens - gone);
        if (selection.tokens <= target) return;
        const free = spans.filter((span) => {
          const members = spans.filter(({ id }) => bundles(span.id).includes(id));
          return members.every((member) => !member.pinned && !judge(member).keep);
        });
        expect(free.every(({ id }) => picked.has(id))).toBe(true);
      }),
    );
  });

  it("is the same whenever it is made", () => {
    fc.assert(
      fc.property(cases, (one) => {
        expect(run(one).selection).toEqual(run(one).selection);
      }),
    );
  });
});
