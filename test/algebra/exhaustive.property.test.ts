import { describe, expect, it } from "vitest";
import { enumerate, problemsSince } from "../support/algebra/enumerate.ts";
import { brokenLaws } from "../support/algebra/laws.ts";
import { universes } from "../support/algebra/universes.ts";

/*
 * Every history of a few small worlds. Nothing random: what holds here holds for every order in
 * which these commands can come.
 */

const long = process.env.PALIMPSEST_LONG !== undefined;
const depth = long ? 7 : 4;
/** Every law on every branch of every history is the dearer question. */
const depthOfLaws = long ? 5 : 4;

/** A processor that others use too may take its time. */
const timeout = long ? 3_600_000 : 150_000;

describe.each(universes)("every history of the world of $name", (universe) => {
  it(`agrees with the reference and breaks no rule, to depth ${depth}`, { timeout }, () => {
    const { histories, refused, nothingToDo, outcomes } = enumerate(universe, depth, problemsSince);
    console.log(
      `${universe.name}, depth ${depth}: ${histories} histories, ${refused} refusals, ` +
        `${nothingToDo} times nothing to do\n  ${JSON.stringify(outcomes)}`,
    );
    expect(histories).toBeGreaterThan(long ? 10_000 : 200);
  });

  it(`keeps every law of the algebra, to depth ${depthOfLaws}`, () => {
    const { histories } = enumerate(universe, depthOfLaws, brokenLaws);
    console.log(`${universe.name}: the laws on ${histories} histories`);
    expect(histories).toBeGreaterThan(100);
  });
});
