/* Words as they are compared: in lower case, apart where a name joins them, without endings. */

/** Words that are in every other sentence, whatever it is about. */
const COMMON = new Set(
  (
    "the a an and or of to in on at by for from with without as is are was were be been being it " +
    "its this that these those there here we you they he she our your their us them me my i he " +
    "has have had do does did done not no nor but if then than so such can could may might must " +
    "shall should will would about after again all also always any anyone anything are because " +
    "before between both each every everyone few first get gets got go goes going how into just " +
    "know last let like make makes made many more most much need needs never new next now off " +
    "often one only other out over own per please put said same say says see set since some still " +
    "take takes than thing things think through time today too two under until up upon use used " +
    "uses using very want wants way well what when where which while who whose why within work " +
    "works yes yet etc however instead rather once during old ok okay fine good right wrong back"
  ).split(" "),
);

const ENDING =
  /(?:ations?|itions?|ements?|ments?|ings?|ables?|ions?|ances?|ers?|als?|ies|ied|ed|es|ly|s|e|y)$/;

/** Fewest letters that an ending leaves. */
const MIN_STEM = 3;

/** The part that the forms of a word have in common: `approvals` and `approved` give `approv`. */
export function stemOf(word: string): string {
  const lower = word.toLowerCase();
  const found = lower.length < 5 ? /s$/.exec(lower) : ENDING.exec(lower);
  if (found === null || found.index < MIN_STEM) return lower;
  const stem = lower.slice(0, found.index);
  return /([b-df-hj-km-np-rtv-z])\1$/.test(stem) ? stem.slice(0, -1) : stem;
}

/** The words of a name: `retryBudget`, `retry-budget` and `RETRY_BUDGET` have the same two. */
export function partsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((part) => part !== "");
}

/** A word of a sentence; those of one name follow each other. */
export interface Word {
  readonly stem: string;
  /** As it stands in the text, with the rest of its name. */
  readonly name: string;
}

const TOKEN = /[A-Za-z][A-Za-z0-9]*(?:[_.-][A-Za-z0-9]+)*/g;

/** The words of a sentence in order. */
export function wordsIn(text: string): Word[] {
  return (text.match(TOKEN) ?? []).flatMap((name) =>
    partsOf(name).map((part) => ({ stem: stemOf(part), name })),
  );
}

/** The stems of the words that say what a sentence is about. */
export function topicsIn(text: string): Set<string> {
  const names = text.match(TOKEN) ?? [];
  const parts = names.flatMap(partsOf).filter((part) => part.length >= 3);
  return new Set(parts.filter((part) => !COMMON.has(part.toLowerCase())).map(stemOf));
}
