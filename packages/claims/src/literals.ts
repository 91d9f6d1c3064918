/* Values as people write them in a sentence, and whether two sentences give the same ones. */

const UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen".split(
  " ",
);
const TEENS = "fourteen fifteen sixteen seventeen eighteen nineteen twenty".split(" ");
const TENS = "thirty forty fifty sixty seventy eighty ninety".split(" ");

/** Numbers by their words. */
const NUMBERS = new Map<string, number>([
  ...[...UNITS, ...TEENS].map((word, i) => [word, i] as const),
  ...TENS.map((word, i) => [word, 30 + 10 * i] as const),
  ["hundred", 100],
  ["thousand", 1_000],
  ["dozen", 12],
  ["twice", 2],
]);

/** Weekdays and months, which are values too. */
const DAYS = new Set(
  (
    "monday tuesday wednesday thursday friday saturday sunday weekday weekend january february " +
    "march april june july august september october november december"
  ).split(" "),
);

/** What stands for true and for false. */
const TRUE = new Set(["true", "on", "enabled", "enable", "yes", "active"]);
const FALSE = new Set(["false", "off", "disabled", "disable", "no", "inactive"]);

export interface Literals {
  readonly numbers: ReadonlySet<number>;
  readonly days: ReadonlySet<string>;
  readonly booleans: ReadonlySet<boolean>;
  /** Quoted words, and those with digits in them. */
  readonly words: ReadonlySet<string>;
}

/** A number that is not part of a name, a date, a time or the number of a ticket. */
const UNIT = "(?:ms|s|m|min|h|d|k|kb|mb|gb|x)\\b";
const NUMBER = new RegExp(
  "(?<![\\w.:/#-])[-+]?\\d{1,12}(?:[.,_]\\d{1,6})*" +
    `(?![\\d:/]|-\\d|\\.\\d|(?!${UNIT})[A-Za-z_])`,
  "gi",
);
const WORD = /[A-Za-z]+/g;
const MARKED =
  /["'`]([\w./@:+~-]{1,60})["'`]|(?<![\w#])(?=[\w.-]*\d)(?=[\w.-]*[A-Za-z])[\w.-]{2,40}/g;

/** Numbers that only tell one thing from others of its kind: `line 7`, `commit 2`. */
const LABELS = new RegExp(
  "\\b(?:lines?|steps?|pages?|sections?|commits?|parts?|items?|problems?|options?|phases?|" +
    "figures?|tables?|chapters?|builds?|pipelines?|tickets?|issues?|pr|cases?|scenarios?|tests?)" +
    "\\s+#?\\d+(?:\\s?[-–]\\s?\\d+)?",
  "gi",
);

/** The values in a sentence. */
export function literalsIn(sentence: string): Literals {
  const text = sentence.replace(LABELS, " ");
  const numbers = new Set((text.match(NUMBER) ?? []).map(numberOf));
  const days = new Set<string>();
  const booleans = new Set<boolean>();
  for (const word of text.toLowerCase().match(WORD) ?? []) {
    const number = NUMBERS.get(word);
    if (number !== undefined) numbers.add(number);
    if (DAYS.has(word.replace(/s$/, ""))) days.add(word.replace(/s$/, ""));
    if (TRUE.has(word)) booleans.add(true);
    if (FALSE.has(word)) booleans.add(false);
  }
  const words = new Set(
    [...text.matchAll(MARKED)].map(([all, quoted]) => (quoted ?? all).toLowerCase()),
  );
  return { numbers, days, booleans, words };
}

function numberOf(text: string): number {
  return Number(text.replace(/(?<=\d)[_,](?=\d{3}\b)/g, "").replace(",", "."));
}

/** Something in `one` that `other` does not have. */
export function hasOther<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  for (const value of one) if (!other.has(value)) return true;
  return false;
}

export function intersects<T>(one: ReadonlySet<T>, other: ReadonlySet<T>): boolean {
  for (const value of one) if (other.has(value)) return true;
  return false;
}
