import { CHANGED } from "./hedges.ts";
import { isSpecific } from "./keyed.ts";
import type { Scalar } from "./scalars.ts";
import { isLiteral, scalarOf } from "./scalars.ts";

/*
 * Sentences that give something a value. Names are identifiers, or, after an article, two to four
 * plain words: "the retry budget is 3". Values are numbers, booleans and quoted strings.
 */

/** Tried only where a word begins: tried anywhere in a long word, the search would be quadratic. */
const NAME = "(?<![\\w.-])`?([A-Za-z_][\\w.-]{2,63})`?";
const WORDS = "(?:[Tt]he|[Oo]ur|[Ii]ts) ((?:[a-z][a-z-]{1,20} ){1,3}[a-z][a-z-]{1,20})";
/** A number that is not part of a date, a time, a version or a name. */
const NUMBER = "[-+]?\\d[\\w.]*(?![\\w-]|[:/]\\d)";
const VALUE = `(\`[^\`]{1,80}\`|"[^"]{1,80}"|${NUMBER}|true|false)`;
const IS =
  "(?: is| are| equals| becomes| defaults to| stays(?: at)?| remains(?: at)?|" +
  " must(?: not exceed| be| stay(?: at)?)| should be| has to be|" +
  " is (?:set|limited|fixed) (?:to|at))";
const NOW = "(?: now| only| exactly| at most| still| at least)?";
const WAS = "(?: was| is| has been| have been| gets| got| will be)?";

/** Each finds a name, the value it had before or nothing, and the value it has. */
const shapes = [NAME, WORDS].flatMap((subject) => [
  // the retry budget was raised from 3 to 7
  new RegExp(`${subject}${WAS} ${CHANGED}(?: from ${VALUE})? to ${VALUE}`),
  // raise the retry budget to 7
  new RegExp(`\\b${CHANGED} (?:the )?${subject}(?: from ${VALUE})? to ${VALUE}`, "i"),
  // retry_budget: 3 -> 7
  new RegExp(`${subject}:? ${VALUE} ?(?:→|->|=>) ?${VALUE}`),
  // the retry budget is now 7
  new RegExp(`${subject}${IS}${NOW} ()${VALUE}`),
]);
// retry_budget: 7
shapes.push(new RegExp(`${NAME}(?::| ?=) ?()${VALUE}`));

/** What is cheap to look for in a line before the shapes are tried. */
const ANY = /\d|true|false|[`"]/;

export interface Stated {
  readonly key: string;
  readonly value: Scalar;
  /** The value it had before, where the sentence says so. */
  readonly before?: Scalar;
}

/** What a sentence gives a value to, if anything. */
export function statedIn(text: string): Stated | undefined {
  if (!ANY.test(text)) return undefined;
  const plain = text.replaceAll("**", "");
  for (const shape of shapes) {
    const [, subject = "", from, to] = shape.exec(plain) ?? [];
    const value = literal(to);
    const key = nameOf(subject, plain);
    if (value === undefined || key === undefined) continue;
    const before = literal(from);
    return { key, value, ...(before !== undefined && { before }) };
  }
  return undefined;
}

function literal(text: string | undefined): Scalar | undefined {
  const value = text === undefined ? undefined : scalarOf(text.replace(/[.,;:]+$/, ""));
  return value !== undefined && (isLiteral(value) || /^["`]/.test(text ?? "")) ? value : undefined;
}

/** An identifier as it is, plain words joined as an identifier would join them. */
function nameOf(subject: string, text: string): string | undefined {
  if (subject.includes(" ")) return subject.replaceAll(" ", "_");
  if (subject !== "" && text.includes(`\`${subject}\``)) return subject;
  return isSpecific(subject) && !subject.includes("-") ? subject : undefined;
}

/** The identifiers that a sentence names. */
export function namesOf(text: string): string[] {
  const names = text.match(/`[A-Za-z_][\w.-]{2,63}`|\b[A-Za-z]\w{0,63}\b/g);
  return (names ?? []).map((name) => name.replaceAll("`", "")).filter(isSpecific);
}
