import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Intent } from "../support/algebra/intents.ts";
import { anyIntent, plainCommandOf } from "../support/algebra/intents.ts";
import type { PureAnswer, PureCommand, PureWindow } from "../support/algebra/pure.ts";
import { attempt, opened, referenceOf, run } from "../support/algebra/pure.ts";
import type { Reference } from "../support/algebra/reference.ts";
import { isLive } from "../support/algebra/views.ts";

const numRuns = process.env.PALIMPSEST_LONG === undefined ? 250 : 1_000;

/*
 * Undo re-reads and re-hashes before it believes (design §4, recovery): with content lost, what
 * would bring it back is refused, and everything else goes on as if nothing had happened.
 */

const intents = fc.array(anyIntent, { minLength: 6, maxLength: 30, size: "max" });
const losses = fc.array(fc.boolean(), { minLength: 1, maxLength: 9 });

function after(window: PureWindow, intent: Intent): PureWindow {
  return attempt(window, commandIn(window, intent));
}

function commandIn(window: PureWindow, intent: Intent): PureCommand | undefined {
  return plainCommandOf(intent, { reference: referenceOf(window), events: window.events });
}

describe("with content lost in the store", () => {
  it("whatever brings lost content back is irreversible-edit, everything else is unharmed", () => {
    let refused = 0;
    let refusedAnyway = 0;
    const property = fc.property(intents, anyIntent, losses, (list, last, pattern) => {
      const window = list.reduce(after, opened);
      const command = commandIn(window, last);
      if (command === undefined || mergesOrBatches(command)) return;
      const lost = new Set(
        window.events.map(({ revision }) => revision).filter((r) => pattern[r % pattern.length]),
      );
      const intact = run(window, command);
      const answer = run(window, command, lost);
      const needed = intact.outcome === "accepted" ? broughtBack(window, intact.window) : [];
      if (needed.some((revision) => lost.has(revision))) {
        refused += 1;
        expect(codes(answer)).toContain("irreversible-edit");
      } else if (isAboutLoss(window, answer, lost) && isBondRefusal(intact)) {
        // Content is looked at before the bonds of the whole append: either is a reason.
        refusedAnyway += 1;
      } else {
        expect(codes(answer)).toEqual(codes(intact));
        expect(answer.outcome).toBe(intact.outcome);
      }
    });
    fc.assert(property, { numRuns });
    console.log(`lost content: irreversible-edit ${refused} + ${refusedAnyway} times`);
    expect(refused).toBeGreaterThan(20);
  });
});

/** A merge needs the content of what it merges too; a batch brings some of its own. */
function mergesOrBatches(command: PureCommand): boolean {
  return command.command === "batch" || ("strategy" in command && command.strategy === "merge");
}

/** Refused for content that is out of view and really lost, and for nothing else. */
function isAboutLoss(window: PureWindow, answer: PureAnswer, lost: ReadonlySet<number>): boolean {
  if (answer.outcome !== "refused") return false;
  const reference = referenceOf(window);
  return answer.refusals.every(({ code, spanId }) => {
    const id = String(spanId);
    const isLost = lost.has(contentRevision(reference, id)) && !isLive(reference, id);
    return code === "irreversible-edit" && isLost;
  });
}

function isBondRefusal(answer: PureAnswer): boolean {
  const given = codes(answer);
  return given.length > 0 && given.every((code) => code === "bond-broken" || code === "open-call");
}

function codes(answer: PureAnswer): string[] {
  return answer.outcome === "refused" ? answer.refusals.map(({ code }) => code) : [];
}

/** Where the content lies that came into view, if only on the way, and was there before. */
function broughtBack(window: PureWindow, next: PureWindow): number[] {
  const steps = next.walk.states.slice(window.walk.states.length - 1);
  return steps.flatMap((now, i) => {
    const then = steps[i - 1];
    if (then === undefined) return [];
    return [...now.spans.values()]
      .filter(({ id }) => isLive(now, id) && !isLive(then, id))
      .filter(({ id, recallOf }) => recallOf !== undefined || then.spans.has(id))
      .map(({ id }) => contentRevision(now, id));
  });
}

function contentRevision({ spans }: Reference, id: string): number {
  const span = spans.get(id);
  return spans.get(span?.recallOf ?? id)?.revision ?? -1;
}
