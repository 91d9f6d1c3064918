import type { Scalar } from "./scalars.ts";
import { scalarOf } from "./scalars.ts";

/*
 * Words that say a value beside them is not the whole truth. They count only beside something that
 * states a value: by themselves they are in every other tool output.
 */

/** Verbs of a change, in the forms that comments use. */
export const CHANGED =
  "(?:raised?|lowered?|bump(?:ed)?|increased?|decreased?|reduced?|chang(?:ed?|ing)|" +
  "mov(?:ed?|ing)|" +
  "switched|cut|set|reset|doubled|halved|lifted|dropped|updated?|extended|shortened|capped|" +
  "(?:goes|went|brought|turned|scaled|dialled|moves)(?: up| down| back)?)";

const NOT_YET = "not (?:yet )?(?:in force|in effect|rolled out|deployed|applied|active|live)";
const NO_MORE = "no longer (?:used|valid|true|in force|applies|applied|correct|current|supported)";
const REFERENCE = "(?:see|per|under|in) (?:the )?(?:ticket|incident|change request)|see #\\d+";
const INSTEAD = "supersed(?:ed|es)|superced(?:ed|es)|replaced (?:by|with)|overridden";
const FALSE =
  "(?:was|is|were|are|proved) wrong|incorrect|out of date|outdated|obsolete|invalidated";
const SOON = "pending|temporar(?:y|ily)|until further notice|awaiting|rolled back|reverted";
const BANNED = "deprecated|do not (?:use|trust|rely)|don't (?:use|trust|rely)|must not be used";

/** Hedges that count in any text. */
const QUALIFIED = new RegExp(
  `\\b(?:${BANNED}|${INSTEAD}|${FALSE}|${SOON}|${NO_MORE}|${NOT_YET}|${REFERENCE})\\b`,
  "i",
);
const CHANGES = new RegExp(
  `(?<!^|[.:;,(] )\\bset to\\b|\\b(?!set |update )${CHANGED}(?: from [^ ]{1,40})? to\\b|` +
    '[\\d"`] ?(?:→|->) ?[-+\\d"`]',
  "i",
);

/** Hedges that count in a configuration or a document: code is full of them. */
const WEAK = /\b(?:TODO|FIXME|XXX)\b|\b(?:supposed to|should really|to be) (?:be|confirmed)\b/;

export function isHedge(text: string, weakToo: boolean): boolean {
  return isQualified(text) || CHANGES.test(text) || (weakToo && WEAK.test(text));
}

/** Says that something is not, or no longer, to be relied on. */
export function isQualified(text: string): boolean {
  return QUALIFIED.test(text);
}

const RULE =
  /\b(?:must|never|always|from now on|at most|no more than|has to|effective|as of|from today)\b/i;

/** Lays down what is to hold from now on. */
export function isRule(text: string): boolean {
  return RULE.test(text);
}

const STATED = new RegExp(
  `\\b(?:${CHANGED}(?: from [^ ]{1,40})? to|(?:is|are|was) now|will be(?:come)?|` +
    "becomes|should (?:really )?be|supposed to be|replaced (?:by|with)|superseded by|" +
    "overridden (?:by|to)|" +
    "use|in favou?r of)" +
    " (?:the )?([^ ,;()]{1,82})",
  "i",
);

/** The value that a hedge states: `raised to 7 pending rollout` states 7. */
export function statedValue(hedge: string): Scalar | undefined {
  const text = STATED.exec(hedge)?.[1]?.replace(/[.:!?]+$/, "");
  const value = text === undefined ? undefined : scalarOf(text);
  return value === undefined || isWord(value, text) ? undefined : value;
}

/** Not a value but the next word of a sentence. */
function isWord(value: Scalar, text: string | undefined): boolean {
  return typeof value === "string" && value === text && /^[A-Za-z]+$/.test(value);
}
