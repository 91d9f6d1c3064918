import { conceptOf, isUnit } from "./concepts.ts";
import type { KnownClaim } from "./known-claim.ts";
import { fileOf } from "./paths.ts";
import { namesOfRun, runnersOf } from "./test-runners.ts";
import { partsOf, stemOf, topicsIn } from "./words.ts";

/* What claims are about: a sentence is compared with those that it shares words with. */

/** A claim that gives a name a value, by the words of its name. */
export interface NamedValue {
  readonly claim: KnownClaim;
  readonly parts: readonly string[];
}

/** A claim in a sentence, by its rare words. */
export interface Statement {
  readonly claim: KnownClaim;
  readonly topics: ReadonlySet<string>;
}

/** A run of a program, by the names of what was run. */
export interface Run {
  readonly claim: KnownClaim;
  readonly names: ReadonlySet<string>;
}

/** Most claims that are kept under one word: a word of more says nothing. */
const MAX_PER_WORD = 48;

/** What contests another claim, and is never itself contested by words. */
const LATER = "said later: ";
const WENT_WELL = "run went well: ";
const FAILED = "run failed: ";

/** Words that the extractor puts around what it quotes. */
export function isGenerated(statement: string): boolean {
  return (
    [LATER, WENT_WELL, FAILED].some((start) => statement.startsWith(start)) || ABOUT.test(statement)
  );
}

/** What is said of a file rather than in it (overtaken-statements.ts). */
const ABOUT = /^\S+ (?:was edited$|as it was read: |(?:was changed|is gone) since it was read in )/;

export function laterStatement(sentence: string): string {
  return `${LATER}${sentence}`;
}

export function runStatement(failed: boolean, command: string, line: string): string {
  return `${failed ? FAILED : WENT_WELL}${command}: ${line.trim()}`;
}

/** Claims by the words they are about. */
export class Topics {
  readonly #named = new Map<string, NamedValue[]>();
  readonly #statements = new Map<string, Statement[]>();
  readonly #runs = new Map<string, Run[]>();

  add(claim: KnownClaim): void {
    const { key, statement, kind } = claim;
    if (kind === "decision") return;
    if (isGenerated(statement) && !statement.startsWith(WENT_WELL)) return;
    if (statement.startsWith(WENT_WELL)) {
      const command = statement.slice(WENT_WELL.length);
      const names = namesOfRun(command, true);
      for (const runner of runnersOf(command.replace(/ \(.*|: .*/s, ""))) {
        addBounded(this.#runs, runner, { claim, names });
      }
      for (const name of names) addBounded(this.#runs, name, { claim, names });
    } else if (key !== undefined) {
      if (isNameValue(claim.value) || isRecordScope(claim.scope)) return;
      const parts = nameParts(claim);
      // One that a sentence may leave out is not the one to look it up by.
      const byLength = [...parts].sort((a, b) => b.length - a.length);
      const looked = parts.length >= 3 ? byLength.slice(0, 2) : byLength.slice(0, 1);
      if (areTelling(parts))
        for (const part of looked) addBounded(this.#named, part, { claim, parts });
      this.#addStatement(claim, topicsOfSetting(claim));
    } else this.#addStatement(claim, topicsIn(statement));
  }

  #addStatement(claim: KnownClaim, topics: ReadonlySet<string>): void {
    for (const topic of topics) addBounded(this.#statements, topic, { claim, topics });
  }

  named(word: string): readonly NamedValue[] {
    return this.#named.get(word) ?? NONE;
  }

  statements(word: string): readonly Statement[] {
    return this.#statements.get(word) ?? NONE;
  }

  runs(name: string): readonly Run[] {
    return this.#runs.get(name) ?? NONE;
  }

  get size(): number {
    return this.#named.size + this.#statements.size + this.#runs.size;
  }
}

const NONE: readonly never[] = [];

function addBounded<T>(map: Map<string, T[]>, key: string, value: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [value]);
  else if (known.length < MAX_PER_WORD) known.push(value);
  else known[known.length - 1] = value;
}

/**
 * The words of a claim's name. What a single word stands in belongs to it as well: `budget` below
 * `retry` is the retry budget.
 */
function nameParts({ key = "", scope = "", statement, value }: KnownClaim): string[] {
  const path = /^(?:not in force: )?([\w.$@/ -]{1,160}?) = /.exec(statement)?.[1] ?? key;
  const names = (path.endsWith(key) ? path : key).split(/[./]/).filter((name) => name !== "");
  const last = partsOf(names.at(-1) ?? key);
  const above = names.at(-2) ?? fileOf(scope).replace(/\.\w+$/, "");
  const more = last.length > 1 || isLong(last, value) ? [] : partsOf(above).slice(-1);
  const parts = [...more, ...last].map((part) => conceptOf(stemOf(part)));
  const plain = parts.filter((part) => !isUnit(part));
  return plain.length >= 2 ? plain : parts;
}

/** A long word that has a number or a switch as its value is a name by itself. */
function isLong([word = ""]: readonly string[], value: KnownClaim["value"]): boolean {
  return word.length >= 8 && (typeof value === "number" || typeof value === "boolean");
}

/** What a setting is about: its name, what it stands in, and the name of its file. */
function topicsOfSetting({ statement, key = "", scope = "" }: KnownClaim): Set<string> {
  const [path = key] = statement.split(" = ", 1);
  const file = fileOf(scope).replace(/\.\w+$/, "");
  return topicsIn(`${path.slice(0, 160)} ${file.slice(0, 80)}`.replace(/[^A-Za-z0-9]+/g, " "));
}

/** Values that name one thing among many, as ids, digests, dates and paths do. */
const NAMES = /^(?:(?=.*\d)[0-9a-f-]{7,}|\d{4}-\d\d-\d\d.*|.*[/\\].*[/\\].*|.{25,})$/i;

function isNameValue(value: KnownClaim["value"]): boolean {
  return typeof value === "string" && NAMES.test(value);
}

/** A file that is one of many of its kind, by its name: what it holds is data, not settings. */
function isRecordScope(scope = ""): boolean {
  return /[0-9a-f]{8}|\d{5}|\d{4}-\d\d/i.test(fileOf(scope));
}

/** Two words, or a long one, that are about one thing. */
function areTelling(parts: readonly string[]): boolean {
  return parts.length >= 2 ? parts.join("").length >= 6 : (parts[0] ?? "").length >= 6;
}
