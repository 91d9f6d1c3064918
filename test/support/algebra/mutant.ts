import type { RuleCode } from "./check.ts";
import type { History } from "./damage.ts";
import type { PureCommand } from "./pure.ts";
import { opened, runAll } from "./pure.ts";
import type { Reference } from "./reference.ts";
import type { Walk } from "./walk.ts";
import { headOf, walkOf } from "./walk.ts";

/** A valid history and the same one damaged so that one rule, and no other, must bite. */
export interface Mutant {
  readonly rule: RuleCode;
  /** What the damage is. */
  readonly says: string;
  readonly valid: Walk;
  readonly damaged: Walk;
}

/** Damages the events of the history that the commands make. */
export function eventMutant(
  rule: RuleCode,
  says: string,
  commands: readonly PureCommand[],
  damage: (events: History) => readonly unknown[],
): Mutant {
  const { events, walk } = runAll(opened, commands);
  return { rule, says, valid: walk, damaged: walkOf(damage(events)) };
}

/** Damages what the fold makes of the last event: a fold that is wrong there. */
export function foldMutant(
  rule: RuleCode,
  says: string,
  commands: readonly PureCommand[],
  damage: (head: Reference) => Reference,
): Mutant {
  const { walk } = runAll(opened, commands);
  const states = [...walk.states.slice(0, -1), damage(headOf(walk))];
  return { rule, says, valid: walk, damaged: { ...walk, states } };
}
