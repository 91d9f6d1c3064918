import { describe, expect, it } from "vitest";
import { checkWalk, ruleCodes } from "../support/algebra/check.ts";
import {
  bondMutants,
  foldMutants,
  permissionMutants,
  verbMutants,
} from "../support/algebra/mutants-algebra.ts";
import { contentMutants, metadataMutants, recordMutants } from "../support/algebra/mutants-form.ts";

/*
 * A check that never bites proves nothing. For every rule of the history check there is a history
 * damaged so that this rule alone notices; without the rule the damage goes unseen.
 */

const mutants = [
  ...metadataMutants,
  ...recordMutants,
  ...contentMutants,
  ...verbMutants,
  ...permissionMutants,
  ...bondMutants,
  ...foldMutants,
];

describe("the check of a history", () => {
  it("has a mutant for every rule", () => {
    const covered = new Set(mutants.map(({ rule }) => rule));
    expect([...covered].sort()).toEqual([...ruleCodes].sort());
  });

  it.each(mutants)("finds nothing in the valid history: $rule, $says", ({ valid }) => {
    expect(checkWalk(valid)).toEqual([]);
  });

  it.each(mutants)("notices by $rule alone: $says", ({ rule, damaged }) => {
    const codes = new Set(checkWalk(damaged).map(({ code }) => code));
    expect([...codes]).toEqual([rule]);
  });

  it.each(mutants)("does not notice without $rule: $says", ({ rule, damaged }) => {
    expect(checkWalk(damaged, { without: [rule] })).toEqual([]);
  });
});
