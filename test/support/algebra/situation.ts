import type { Json, RecordedWindowEvent } from "@palimpsest/core";
import type { Dice } from "./dice.ts";
import type { Reference } from "./reference.ts";

/** What an intent is turned into a command with. */
export interface Situation {
  readonly reference: Reference;
  readonly events: readonly RecordedWindowEvent[];
  readonly dice: Dice;
  readonly content: Json;
}

/** A command as it may come from outside: nothing says that it is one. */
export type Draft = { readonly command: string } & Readonly<Record<string, unknown>>;

/** Mostly none, so that one is minted; else one from a small pool, where ids collide. */
export function newId(rolls: Dice, field: string): object {
  return rolls.chance(60) ? {} : { [field]: `${field}${rolls.roll(30)}` };
}
