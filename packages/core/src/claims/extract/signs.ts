/*
 * Signs in a line of output that something went wrong, or well, whatever program printed it. Looked
 * for only in the output of what is known to check something, or beside the name of a test.
 */

const WRONG: readonly string[] = [
  // 2 failed, FAIL, 1 failure
  "fail(?:s|ed|ing|ures?)?|failure",
  // error: …, error[E0308]
  "error(?:s|ed)?|fatal|exception|traceback",
  // AssertionError, NullPointerException
  "\\w+(?:Error|Exception)|assert\\w*|expected",
  // panicked at, crashed, aborted, Segmentation fault, core dumped
  "panick?\\w*|crash\\w*|abort\\w*|seg\\w*fault|segmentation fault|core dumped|killed|collapsed?",
  // timed out, gave up, hung
  "tim(?:ed|es|ing) out|timeout|gave up|gives up|hung|hangs?|stopped|deadlock\\w*|overdue",
  // exited with status 2, "exit_code": 1
  'exit(?:ed)?(?: with)?(?: code| status)?:? [1-9]|exit_?code"?: ?[1-9]|data race',
  // not ok 2, did not answer, cannot, won't
  "not ok|(?:did|does|do|was|is|were|are|has|have) not|cannot|could not|unable|no luck",
  // 3 problems found, 2 violations
  "[1-9]\\d* (?:problems?|issues?|violations?|offenses?|regressions?|missing)|regress\\w+",
  // broken, red, flaky, unreachable, 17 lost
  "broken?|broke|red|down|bad|flak\\w+|unstable|culprit|unreachable|refused|rejected|denied|lost",
  "dangling|undefined|mismatch\\w*|incorrect|invalid|wrong|unexpected\\w*|corrupt\\w*|inconsistent",
  "violat\\w+|exceed\\w*|leak\\w*",
];

const SIGN = new RegExp(`\\b(?:${WRONG.join("|")})\\b|error\\[|n't\\b|[✗✕✖×❌]`, "i");

/** Words of failure that say there was none: 0 failed, no errors, without warnings. */
const NONE = new RegExp(
  "\\b(?:0|no|zero|without(?: any)?) (?:tests? |new |known )?" +
    "(?:fail\\w*|errors?|warnings?|problems?|issues?|mismatch\\w*|violations?|regressions?|lost|" +
    "missing|flak\\w+|unexpected\\w*|exceptions?|crash\\w*|leaks?)\\b|" +
    "\\b(?:fail(?:ed|ures?)?|errors?|lost|missing|mismatch\\w*)[:=] ?0\\b|" +
    "nothing (?:\\w+ ){0,2}(?:failed|broke\\w*|wrong|lost)|\\b0 \\w+ failed\\b",
  "gi",
);

/** A line on something that went well, whose name may hold anything: `throws an error ... ok`. */
const WELL = /^\W*(?:ok\b|passe?d?\b|[✓√✔])|(?:\.{2,}|(?<!not)\s)(?:ok|passed)\s*(?:\d|\(|$)/i;

/** A sign of failure. */
export function isSign(body: string): boolean {
  return !WELL.test(body) && SIGN.test(body.replace(NONE, ""));
}

const GOOD: readonly string[] = [
  "pass(?:ed|es|ing)?|green|ok|clean|fine|healthy|stable",
  "success\\w*|succeed\\w*|all good|in order",
  "no (?:errors?|failures?|problems?|issues)|100 ?%",
];

const GOOD_SIGN = new RegExp(`\\b(?:${GOOD.join("|")})(?!\\w)|[✓√✔]`, "i");

/** A sign that something went well. */
export function isGood(body: string): boolean {
  return GOOD_SIGN.test(body);
}
