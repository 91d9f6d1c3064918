import type { SeededRandom } from "@palimpsest/core/testing";
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
  /** What says so; for a file that is overwritten outside, the line that nobody shows. */
  readonly second: string;
  /** For a file that is edited: what the tool answers. */
  readonly edited: string;
  readonly file: string;
}

export function passagesOf(family: Family, words: Wordings, random: SeededRandom): Passages {
  if (family === "test-failure") return testPassages(words, random);
  if (family === "document-rule") return documentPassages(words, random);
  const [key, label, a, b] = random.pick(SETTINGS);
  const name = random.pick(NAMES);
  const fields = { key, KEY: key.toUpperCase(), label, a, b, name };
  const setting = random.pick(words.setting);
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
    second: comment ? filled(random.pick(words.operator), fields) : changed,
    edited: filled(random.pick(words.edit), edit),
    file,
  };
}

function testPassages(words: Wordings, random: SeededRandom): Passages {
  const total = random.between(40, 900);
  const fields = { a: String(total), b: String(total - 1), name: random.pick(NAMES) };
  return {
    name: fields.name,
    label: "passing tests",
    value: fields.a,
    first: filled(random.pick(words.passed), fields),
    second: filled(random.pick(words.failed), fields),
    edited: "",
    file: "",
  };
}

function documentPassages(words: Wordings, random: SeededRandom): Passages {
  const [label, a, b] = random.pick(RULES);
  const name = random.pick(NAMES);
  const fields = { label, a, b, name };
  return {
    name,
    label,
    value: a,
    first: filled(random.pick(words.document), fields),
    second: filled(random.pick(words.rule), fields),
    edited: "",
    file: `docs/${name}-handbook.md`,
  };
}

function filled(template: string, fields: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (whole, name: string) => fields[name] ?? whole);
}
