import { disagreements } from "./agreement.ts";
import { checkWalk } from "./check.ts";
import type { PureCommand, PureWindow } from "./pure.ts";
import { contentAt, referenceOf, run } from "./pure.ts";

/** A small world in which every history is tried. */
export interface Universe {
  readonly name: string;
  readonly start: PureWindow;
  /** What may be sent next, refused commands included. */
  readonly commands: (window: PureWindow) => readonly PureCommand[];
}

export interface Enumeration {
  /** Histories visited, the start included: each accepted command makes a new one. */
  readonly histories: number;
  readonly refused: number;
  readonly nothingToDo: number;
  /** Accepted commands by name, and refusals by code. */
  readonly outcomes: Readonly<Record<string, number>>;
}

/** Something wrong in a history, and the history. */
export class BrokenHistory extends Error {
  override readonly name = "BrokenHistory";
  constructor(problems: readonly string[], commands: readonly PureCommand[]) {
    const history = commands.map((command) => JSON.stringify(command));
    super(`${problems.slice(0, 5).join("\n")}\nafter\n${history.join("\n")}`);
  }
}

/**
 * Visits every history of at most `depth` accepted commands, depth first. No two histories lead
 * to the same state, since every append is a boundary that a rewind can name; so nothing is left
 * out as a duplicate, and refusals and commands that change nothing are the leaves.
 */
export function enumerate(
  universe: Universe,
  depth: number,
  visit: (window: PureWindow, parent: PureWindow) => readonly string[],
): Enumeration {
  const counts = { histories: 1, refused: 0, nothingToDo: 0 };
  const outcomes: Record<string, number> = {};
  const note = (name: string): void => {
    outcomes[name] = (outcomes[name] ?? 0) + 1;
  };
  const explore = (window: PureWindow, path: readonly PureCommand[]): void => {
    if (path.length === depth) return;
    for (const command of universe.commands(window)) {
      const answer = run(window, command);
      if (answer.outcome === "nothing-to-do") counts.nothingToDo += 1;
      if (answer.outcome === "refused") {
        counts.refused += 1;
        note(answer.refusals[0]?.code ?? "none");
      }
      if (answer.outcome !== "accepted") continue;
      counts.histories += 1;
      note(command.command);
      const next = [...path, command];
      const problems = visit(answer.window, window);
      if (problems.length > 0) throw new BrokenHistory(problems, next);
      explore(answer.window, next);
    }
  };
  explore(universe.start, []);
  return { ...counts, outcomes };
}

/** What the checks and the reference find in the events that `window` has beyond `parent`. */
export function problemsSince(window: PureWindow, parent: PureWindow): string[] {
  const findings = checkWalk(window.walk, { from: parent.events.length });
  const differing = disagreements(window.state, referenceOf(window), contentAt(window.events));
  return [
    ...findings.map(({ code, revision, message }) => `${code} at ${revision}: ${message}`),
    ...differing.map((one) => `the folds disagree: ${JSON.stringify(one)}`),
  ];
}
