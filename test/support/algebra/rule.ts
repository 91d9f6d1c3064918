import type { Place } from "./walk.ts";

/** Says what is wrong with one event in its history, in a sentence each; total, and slow. */
export type Rule = (place: Place) => readonly string[];

/** Rules by code. */
export type Rules = Readonly<Record<string, Rule>>;
