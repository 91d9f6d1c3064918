import type { Wordings } from "./wordings.ts";
import { NAMES, RULES, SETTINGS } from "./wordings.ts";

/** The kinds of ways in which what a window says turns out not to be the whole story. */
export const FAMILIES = [
  "config-comment",
  "test-failure",
  "document-rule",
  "read-edited",
  "overwritten-outside",
] as const;

export type Family = (typeof FAMILIES)[number];

/** What a task is about, in the words of one set. */
export interface Passages {
  readonly name: string;
  /** What the first line says, in words: a decision names it. */
  readonly label: string;
  readonly value: string;
  /** The line that is contested or overwritten later. */
  readonly first: string;
  /** What says so; of a file overwritten outside, the line that nobody shows. */
  readonly second: string;
  /** For a file that is edited: what the tool answers. */
  readonly edited: string;
  readonly file: string;
}

export interface Dice {
  number(below: number): number;
  between(from: number, to: number): number;
  of<T>(list: readonly T[]): T;
}

export function diceOf(next: () => number): Dice {
  const number = (below: number) => Math.floor(next() * below);
  return {
    number,
    between: (from, to) => from + number(to - from + 1),
    of: (list) => list[number(list.length)] as (typeof list)[number],
  };
}

export function passagesOf(family: Family, words: Wordings, dice: Dice): Passages {
  if (family === "test-failure") return testPassages(words, dice);
  if (family === "document-rule") return documentPassages(words, dice);
  const [key, label, a, b] = dice.of(SETTINGS);
  const name = dice.of(NAMES);
  const fields = { key, KEY: key.toUpperCase(), label, a, b, name };
  const setting = dice.of(words.setting);
  const first = filled(setting, fields);
  const changed = filled(setting, { ...fields, a: b });
  const file = `config/${name}.conf`;
  const comment = family === "config-comment";
  const edit = { file, old: first, new: changed };
  return {
    name,
    label,
    value: a,
    first,
    second: comment ? filled(dice.of(words.operator), fields) : changed,
    edited: filled(dice.of(words.edit), edit),
    file,
  };
}

function testPassages(words: Wordings, dice: Dice): Passages {
  const total = dice.between(40, 900);
  const fields = { a: String(total), b: String(total - 1), name: dice.of(NAMES) };
  return {
    name: fields.name,
    label: "passing tests",
    value: fields.a,
    first: filled(dice.of(words.passed), fields),
    second: filled(dice.of(words.failed), fields),
    edited: "",
    file: "",
  };
}

function documentPassages(words: Wordings, dice: Dice): Passages {
  const [label, a, b] = dice.of(RULES);
  const name = dice.of(NAMES);
  const fields = { label, a, b, name };
  return {
    name,
    label,
    value: a,
    first: filled(dice.of(words.document), fields),
    second: filled(dice.of(words.rule), fields),
    edited: "",
    file: `docs/${name}-handbook.md`,
  };
}

function filled(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole);
}
