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
  // differs, stalled, incomplete, fell over, out of memory, rc=1
  "differs?|diverg\\w+|stalled|incomplete|unfinished|interrupted|cancell?ed|exhausted|tripped",
  "bail(?:ed|s)? out|fell (?:over|short|apart)|blew up|out of memory|oom|short by|shortfall|trouble",
  "fault(?:s|ed)?|(?:rc|status|code|exit)[=:] ?[1-9]\\d*|nok|dirty|unmet|unsatisfied|unresolved|not",
];

const SIGN = new RegExp(`\\b(?:${WRONG.join("|")})\\b|error\\[|n't\\b|[✗✕✖×❌]`, "i");

const DENIED = "0|no|none|nothing|nobody|zero|without|free of|clear of|not (?:a|one|any)|never";

/** Words of failure that say there was none: 0 failed, no new errors, none of them broke. */
const NONE = new RegExp(
  `\\b(?:${DENIED})(?: \\w+){0,3}? (?:${WRONG.join("|")}|warnings?|issues?|problems?)\\b|` +
    "\\b(?:fail(?:ed|ures?)?|errors?|lost|missing|mismatch\\w*)[:=] ?0\\b",
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
