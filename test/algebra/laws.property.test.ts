import type { WindowState } from "@palimpsest/core/state";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Intent } from "../support/algebra/intents.ts";
import { anyIntent, plainCommandOf } from "../support/algebra/intents.ts";
import {
  redoIsAnInverse,
  rewindIsExact,
  undoIsAnInverse,
  undosCommute,
} from "../support/algebra/laws.ts";
import type { PureWindow } from "../support/algebra/pure.ts";
import { attempt, opened, referenceOf } from "../support/algebra/pure.ts";

/* The laws of design §4, each on windows with a random past. */

const long = process.env.PALIMPSEST_LONG !== undefined;
const runs = { numRuns: long ? 3_000 : 60 };

const anyPast = fc.array(anyIntent, { minLength: 6, maxLength: 26, size: "max" });

function after(window: PureWindow, intent: Intent): PureWindow {
  const { events } = window;
  return attempt(window, plainCommandOf(intent, { reference: referenceOf(window), events }));
}

/** Edits that undo and redo are about. */
function editsOf(window: PureWindow): string[] {
  return referenceOf(window)
    .edits.filter(({ target }) => target === undefined)
    .map(({ id }) => id);
}

/** `broken` finds nothing in any window. */
function always(broken: (window: PureWindow) => readonly string[]): void {
  const law = fc.property(anyPast, (past) => {
    expect(broken(past.reduce(after, opened))).toEqual([]);
  });
  fc.assert(law, runs);
}

describe("the laws of the algebra", () => {
  it("e·e⁻¹·e = e: undo, redo and undo again go to and fro", () => {
    always((window) => editsOf(window).flatMap((id) => undoIsAnInverse(window, id)));
  });

  it("redo is the mirror of undo", () => {
    always((window) => editsOf(window).flatMap((id) => redoIsAnInverse(window, id)));
  });

  it("undos of independent edits commute", () => {
    always((window) =>
      editsOf(window).flatMap((one, i, all) =>
        all.slice(i + 1).flatMap((other) => undosCommute(window, one, other)),
      ),
    );
  });

  it("rewind is exact, and undo of a rewind is the identity on marks and status", () => {
    always((window) => referenceOf(window).boundaries.flatMap((to) => rewindIsExact(window, to)));
  });

  it("no live span coexists with its own ancestor", () => {
    always(({ state }) =>
      liveIn(state)
        .filter((span) => ancestorsIn(state, span).some((one) => isLive(state, one)))
        .map((span) => `span ${span} stands beside its ancestor`),
    );
  });

  it("live positions are unique", () => {
    always(({ state }) => {
      const positions = liveIn(state).map((index) => state.spans.get(index)?.position);
      return new Set(positions).size === positions.length ? [] : [positions.join()];
    });
  });
});

function isLive(state: WindowState, index: number): boolean {
  return state.marks.get(index) === 0;
}

function liveIn(state: WindowState): number[] {
  return [...state.marks.keys()].filter((index) => isLive(state, index));
}

/** By the library's own edits, not by the reference. */
function ancestorsIn(state: WindowState, index: number): number[] {
  const { createdBy } = state.spans.get(index) ?? {};
  const edit = createdBy === undefined ? undefined : state.edits.get(createdBy - 1);
  const inputs = (edit?.writes ?? []).map(({ span }) => span).filter((span) => span !== index);
  return inputs.flatMap((input) => [input, ...ancestorsIn(state, input)]);
}
