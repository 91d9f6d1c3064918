import { conceptOf } from "./concepts.ts";
import type { Doubt } from "./doubt-phrases.ts";
import { doubtIn, isRequest } from "./doubt-phrases.ts";
import type { KnownClaim } from "./known-claim.ts";
import { hasOther, literalsIn } from "./literals.ts";
import type { Sentence } from "./sentences.ts";
import type { NamedValue } from "./topics.ts";
import type { Word } from "./words.ts";
import { partsOf, wordsIn } from "./words.ts";

/*
 * A name that has a value already, in a later sentence that gives it another one or casts doubt on
 * it, whatever its words are.
 */

export interface Contest {
  readonly sentence: Sentence;
  readonly known: KnownClaim;
  readonly note: string;
  /** The heaviest of several sentences against one claim counts. */
  readonly weight: number;
}

/** A value against a value weighs more than doubt, and doubt more than being spoken of. */
const WEIGHTS: Readonly<Record<string, number>> = {
  "another value said later": 3,
  "put in doubt later": 2,
  "contested by a later line": 2,
};

type Lookup = (word: string) => readonly NamedValue[];

/** How far apart the words of a name may stand: "the budget for retries". */
const REACH = 4;

/** How a name stands in a sentence: as an identifier, as words in a row, or scattered. */
type Mention = "spelt" | "in a row" | "scattered";

/** What the sentence at `at`, and those after it, say against values that are known. */
export function mentionsIn(sentences: readonly Sentence[], at: number, lookup: Lookup): Contest[] {
  const sentence = sentences[at];
  if (sentence === undefined) return [];
  const words = wordsIn(sentence.text).map((word) => ({ ...word, stem: conceptOf(word.stem) }));
  const found: Contest[] = [];
  const seen = new Set<string>();
  for (const [i, { stem }] of words.entries()) {
    for (const named of lookup(stem)) {
      const { claim, parts } = named;
      if (seen.has(claim.id)) continue;
      const mention = mentioned(parts, words, i);
      if (mention === undefined) continue;
      seen.add(claim.id);
      const note = against(named, mention, sentences, at);
      if (note === undefined) continue;
      found.push({ sentence, known: claim, note, weight: WEIGHTS[note] ?? 1 });
    }
  }
  return found;
}

function mentioned(
  parts: readonly string[],
  words: readonly Word[],
  at: number,
): Mention | undefined {
  const near = words.slice(Math.max(0, at - REACH), at + REACH + 1);
  const missing = parts.filter((part) => !near.some(({ stem }) => stem === part)).length;
  if (missing > (parts.length >= 3 ? 1 : 0)) return undefined;
  for (let start = Math.max(0, at - parts.length + 1); start <= at; start += 1) {
    if (!parts.every((part, i) => words[start + i]?.stem === part)) continue;
    const names = new Set(parts.map((_, i) => words[start + i]?.name));
    return names.size === 1 ? "spelt" : "in a row";
  }
  return "scattered";
}

/** Words of a sentence in which those of a name may stand apart. */
const MAX_WORDS = 30;

/** What the sentence says against the value, or undefined if nothing. */
function against(
  { claim, parts }: NamedValue,
  mention: Mention,
  sentences: readonly Sentence[],
  at: number,
): string | undefined {
  const { text, spoken } = sentences[at] as Sentence;
  const request = isRequest(text);
  const doubt = doubtIn(text);
  const other = givesOther(text, claim, parts, mention);
  const long = text.split(" ").length > MAX_WORDS;
  if (mention === "scattered" && (long || other !== "other" || doubt === undefined))
    return undefined;
  if (!spoken) {
    const plain = mention === "spelt" && doubt === "strong";
    return plain && other !== "same" ? "contested by a later line" : undefined;
  }
  if (other === "other" && !(request && doubt === undefined)) return "another value said later";
  const asks = /\bright\?|\bcorrect\?/i.test(text);
  const past = /\b(?:was|were|had|used)\b/i.test(text) || doubt === "weak";
  const denied = doubt === "strong" || (past && mention !== "scattered" && !AGREES.test(text));
  if (other === "same") return denied && !asks && !request ? "put in doubt later" : undefined;
  if (isEnough(doubt, mention, request || /\?\s*$/.test(text))) return "put in doubt later";
  if (mention === "scattered") return undefined;
  return followedUp(sentences[at + 1]?.text, claim, parts) ? "put in doubt later" : undefined;
}

/** Says the same again, and means it. */
const AGREES = new RegExp(
  "^\\W*(?:yes|yep|right|good|fine|correct|agreed|exactly|ok|okay|confirmed|remember)\\b|" +
    "\\bis (?:fine|right|correct|good)\\b|\\bstays?\\b|\\bremains?\\b|as documented|we want",
  "i",
);

function isEnough(doubt: Doubt | undefined, mention: Mention, asks: boolean): boolean {
  if (doubt === "strong") return true;
  return doubt === "weak" && mention !== "scattered" && !asks;
}

/** The next sentence may say it: "max_connections? Take that with a pinch of salt." */
function followedUp(
  next: string | undefined,
  claim: KnownClaim,
  parts: readonly string[],
): boolean {
  if (next === undefined || next.length > 160 || isRequest(next)) return false;
  if (doubtIn(next) === "strong") return true;
  const refers = /^\W*(?:it|that|this|we|now|the|live|in|not|no|value|actual|real|currently)\b/i;
  return refers.test(next) && givesOther(next, claim, parts, "spelt") === "other";
}

/** Whether a sentence gives the value again, another of its kind, or none. */
function givesOther(
  text: string,
  { value }: KnownClaim,
  parts: readonly string[],
  mention: Mention,
): "same" | "other" | undefined {
  const plain = text.replace(/\b(?:19|20)\d\d\b/g, " ");
  const { numbers, booleans, words } = literalsIn(plain);
  if (typeof value === "number") return compared(numbers, new Set([value]));
  if (typeof value === "boolean") return compared(booleans, new Set([value]));
  if (typeof value !== "string") return undefined;
  const own = literalsIn(value);
  if (own.numbers.size > 0 && words.size === 0) return compared(numbers, own.numbers);
  const lower = value.toLowerCase();
  const others = [...words].filter((word) => !isWordOfName(word, parts));
  if (/\d/.test(value)) {
    const alike = others.filter((word) => isAlike(word, lower));
    const more = own.numbers.size === 1 && hasOther(numbers, own.numbers);
    if (alike.some((word) => word !== lower) || more) return "other";
    return alike.length > 0 ? "same" : undefined;
  }
  if (plain.toLowerCase().includes(lower)) return "same";
  const said = saidAfter(plain, parts);
  return mention === "spelt" && said !== undefined && said !== lower ? "other" : undefined;
}

function compared<T>(said: ReadonlySet<T>, known: ReadonlySet<T>): "same" | "other" | undefined {
  if (said.size === 0) return undefined;
  return hasOther(said, known) ? "other" : "same";
}

function isWordOfName(word: string, parts: readonly string[]): boolean {
  return partsOf(word).length >= parts.length && word.replace(/\W|_/g, "").length > 12;
}

/** Two words of one shape: digits, letters and signs come in the same order. */
function isAlike(one: string, other: string): boolean {
  return shapeOf(one) === shapeOf(other);
}

function shapeOf(word: string): string {
  return word.replace(/[A-Za-z]+/g, "a").replace(/\d+/g, "0");
}

const SAID = new RegExp(
  "^[\"'`]?\\s*(?:(?:=|:|->|=>|→|is|to|at|now|becomes?|became|set|in|was|runs?|reads?)\\s*){1,3}" +
    "[\"'`]?([\\w./@:+~-]{2,60})",
  "i",
);

/** The word that a sentence gives a name as its value: `log_level is debug`. */
function saidAfter(text: string, parts: readonly string[]): string | undefined {
  const name = new RegExp(`${parts.map(escaped).join("\\w*[ _.-]?")}\\w*`, "i").exec(text);
  if (name === null) return undefined;
  const rest = text.slice(name.index + name[0].length);
  const said = SAID.exec(rest)?.[1];
  return said?.toLowerCase().replace(/[.,:]+$/, "");
}

function escaped(part: string): string {
  return part.replace(/[^A-Za-z0-9]/g, "\\$&");
}
