import type { WindowState } from "@palimpsest/core/state";
import { initialState } from "@palimpsest/core/state";
import { describe, expect, it } from "vitest";
import type { Question } from "../support/algebra/agreement.ts";
import { disagreements, questionNames } from "../support/algebra/agreement.ts";
import type { PureCommand } from "../support/algebra/pure.ts";
import { contentAt, opened, referenceOf, runAll } from "../support/algebra/pure.ts";
import { admit, evict, rewrite } from "../support/algebra/say.ts";

/*
 * DELIBERATE DAMAGE: one thing in the library's state is flipped, and the question that the two
 * folds are asked about it, and no other, must get two answers.
 */

interface StateMutant {
  readonly question: Question;
  readonly says: string;
  readonly commands: readonly PureCommand[];
  readonly damage: (state: WindowState) => WindowState;
}

const two = [admit("a"), admit("b")];
const chain = [admit("a"), rewrite("e1", ["a"], "b"), rewrite("e2", ["b"], "c")];

const mutants: readonly StateMutant[] = [
  {
    question: "marks",
    says: "a live span counts as absent",
    commands: two,
    damage: (state) => ({ ...state, marks: state.marks.set(0, -1) }),
  },
  {
    question: "order",
    says: "two spans change places",
    commands: two,
    damage: (state) => ({ ...state, slots: state.slots.withLive(0, 1).withLive(1, 0) }),
  },
  {
    question: "gaps",
    says: "an evicted span leaves no gap",
    commands: [...two, evict("e1", ["a"])],
    damage: (state) => ({ ...state, slots: state.slots.without(0, 0) }),
  },
  {
    question: "positions",
    says: "a span is said to stand elsewhere",
    commands: two,
    damage: (state) => ({
      ...state,
      spans: [...state.spans].reduce(
        (spans, span, i) => spans.push(i === 1 ? { ...span, position: 9 } : span),
        initialState("w").spans,
      ),
    }),
  },
  {
    question: "effects",
    says: "an edit forgets its product",
    commands: chain,
    damage: (state) => ({
      ...state,
      edits: state.edits.update(0, (edit) => ({
        ...(edit as NonNullable<typeof edit>),
        writes: edit?.writes.slice(0, 1) ?? [],
      })),
    }),
  },
  {
    question: "tokens",
    says: "a token too many",
    commands: two,
    damage: (state) => ({ ...state, liveTokens: state.liveTokens + 1 }),
  },
  {
    question: "live-count",
    says: "a live span too many",
    commands: two,
    damage: (state) => ({ ...state, liveCount: state.liveCount + 1 }),
  },
  {
    question: "out-of-view",
    says: "a consumed span too few",
    commands: chain,
    damage: (state) => ({ ...state, outOfView: state.outOfView - 1 }),
  },
  {
    question: "counts",
    says: "a record too many",
    commands: chain,
    damage: (state) => ({ ...state, recordCount: state.recordCount + 1 }),
  },
  {
    question: "boundaries",
    says: "a boundary in the middle of an append",
    commands: chain,
    damage: (state) => ({ ...state, boundaries: state.boundaries.insert(2, 2) }),
  },
];

describe("the comparison of the two folds", () => {
  it("has a mutant for every question", () => {
    const asked = mutants.map(({ question }) => question);
    expect(asked.sort()).toEqual([...questionNames].sort());
  });

  it.each(mutants)("agrees on the true state: $question", ({ commands }) => {
    const window = runAll(opened, commands);
    const { state, events } = window;
    expect(disagreements(state, referenceOf(window), contentAt(events))).toEqual([]);
  });

  it.each(mutants)("notices by $question alone: $says", ({ question, commands, damage }) => {
    const window = runAll(opened, commands);
    const contentOf = contentAt(window.events);
    const found = disagreements(damage(window.state), referenceOf(window), contentOf);
    expect(found.map((one) => one.question)).toEqual([question]);
  });
});
