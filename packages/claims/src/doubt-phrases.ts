/*
 * How people say that something is not, or no longer, so: phrases in groups. General English, and
 * never looked for alone, only beside something that is known already.
 */

/** Says that something is wrong, stale, changed, or not to be relied on. */
const STRONG = {
  change:
    "changed|moved|raised|lowered|bumped|increased|decreased|reduced|dialled|dialed|trimmed|" +
    "cut|cuts|cutting|halved|doubled|tripled|squeezed|overrid\\w+|overrul\\w+|" +
    "overwritten|supersed\\w+|" +
    "supplanted|revert\\w*|roll(?:ed|ing)? (?:it )?back|switched|swapped|replac\\w+|" +
    "dropped|drops|lifted|pinned|" +
    "capped|frozen|adjusted|tweaked|tuned|hand-edited|reset|retir\\w+|deprecat\\w+|" +
    "discontinu\\w+|" +
    "scrapped|abolish\\w*|repeal\\w*|revok\\w+|withdrawn|rescind\\w*|waived?|lapsed|" +
    "expired|relaxed|tightened|" +
    "loosened|went (?:out|up|down|to)|had to go|goes? (?:up|down|to)|brought (?:up|down)|" +
    "took (?:it )?(?:up|down)|" +
    "amended|revised|corrected|updated|renegotiated|migrated|rotated|extended|shortened|" +
    "suspend\\w*|paused|disabled|switched off|turned (?:off|on|down|up)|killed|reloaded|" +
    "edited|ignored",
  stale:
    "stale|outdated|out of date|out-of-date|obsolete|legacy|leftovers?|defunct|dead|died|gone|" +
    "former(?:ly)?|no longer|no more|not (?:any|no) ?more|any ?more|any longer|used to|" +
    "history|historic(?:al)?|" +
    "past its|old (?:value|number|figure|rule|news|one)|lags?(?: behind)?|lagging|behind|" +
    "hasn't caught up|" +
    "not caught up|never made it|forg[eo]t\\w* to|stopped|ceased|" +
    "since (?:last|the|then|monday|tuesday|" +
    "wednesday|thursday|friday|this|yesterday)|left over|superannuated|file is old|is old",
  wrong:
    "wrong|incorrect|mistak\\w+|typo|bogus|inaccurate|misleading|misread|invalid\\w*|" +
    "broken|broke|untrue|" +
    "not (?:right|true|correct|accurate|current|real|valid|live|honou?red|in force|" +
    "in effect|what)|" +
    "isn't (?:right|true|correct|what|live|so|it|real)|contradict\\w*|inconsistent|" +
    "mismatch\\w*|disagree\\w*|" +
    "unreliable|untrustworthy|does(?:n't| not) (?:reflect|match|hold|apply|count|work)|" +
    "can't be|cannot be|" +
    "off by|in error|killed us|what is killing|doesn't hold|refuted|disproved|debunked|" +
    "nonsense|fiction",
  doubt:
    "pending|provisional\\w*|tentative\\w*|placeholder|guess\\w*|unsure|unclear|" +
    "unconfirmed|unverified|" +
    "not (?:been )?(?:confirmed|verified|signed off|settled|decided|final|agreed|" +
    "measured)|doubt\\w*|suspect|" +
    "suspicious|tbd|tbc|todo|fixme|draft|wip|under (?:review|discussion|investigation|dispute)|" +
    "subject to|awaits?|awaiting|open question|in flux|fluctuat\\w+|up in the air|" +
    "experimental|disputed|" +
    "contest\\w+|contentious|questionabl\\w+|questioned|dubious|debat\\w+|interim|" +
    "temporar\\w+|for now|for the (?:moment|time being)|" +
    "until further notice|under consideration|not sure|no idea|who knows|hearsay|" +
    "being looked at|still open|" +
    "to be (?:confirmed|decided|revisited|changed|reviewed|lowered|raised)|" +
    "reconsider\\w*|revisit\\w*|on hold|may no longer|" +
    "expected to|likely to|about to|going to (?:change|go|move)|challenged|" +
    "needs? (?:checking|confirm\\w*)|being (?:changed|lowered|raised|reviewed)",
  caution:
    "careful|caution|beware|ignore|disregard|avoid|steer clear|double[- ]check|" +
    "(?:not|n't|never|nobody should|wouldn't) (?:\\w+ ){0,2}(?:rely|trust|count|bank|" +
    "build|believe|use|go by|assume|depend|lean)|" +
    "(?:pinch|grain) of salt|hold off|hands off|watch out|take care|no more count|" +
    "no longer be assumed|do not assume|be aware|are you aware|heads[- ]?up|" +
    "before (?:you )?(?:rely|build)",
  contrast:
    "instead of|rather than|in reality|in real\\b|in fact|turns out|contrary|actually|" +
    "really\\?|who told|" +
    "despite|not \\d+|n't \\d+|is too (?:high|low|short|long|small|big|large|much|little)|" +
    "stop saying|still says?|still reads?|lies|whatever it was",
  from:
    "from now on|from here on|henceforth|these days|nowadays|as of|effective|" +
    "with immediate effect|" +
    "starting (?:next|from|today|this|on)|" +
    "until (?:we|the|then|further|next|monday|friday)|onwards?|" +
    "we agreed|was agreed|it was (?:resolved|decided)|decision:|new terms|new rule|is being",
};

/** Says so only beside a name or a rule that the sentence is plainly about. */
const WEAK =
  "now|not|n't|no|never|nope|nah|none|nobody|neither|without|but|however|although|though|" +
  "except|" +
  "already|soon|yet|currently|at present|today|yesterday|tonight|tomorrow|friday|monday|" +
  "recently|" +
  "lately|meanwhile|may|might|maybe|perhaps|probably|pretty sure|instead|only|override|live|" +
  "in production|on prod|in prod|runs?|running|problem|issue|incident|complain\\w*|unless|" +
  "supposed|should|must|shall|please|correct";

const strong = new RegExp(`(?<![\\w-])(?:${Object.values(STRONG).join("|")})(?![\\w])`, "i");
const weak = new RegExp(`(?<![\\w-])(?:${WEAK})(?![\\w])|n't\\b`, "i");

export type Doubt = "strong" | "weak";

/** What kind of doubt the words of a sentence hold, if any. */
export function doubtIn(sentence: string): Doubt | undefined {
  const plain = sentence.replace(/[’`]/g, "'");
  if (strong.test(plain)) return "strong";
  return weak.test(plain) ? "weak" : undefined;
}

const REQUEST = new RegExp(
  "^\\W*(?:(?:please|kindly|now|then|also|can you|could you|would you|could we|can we|" +
    "let's|and|next|ok|okay|so|but|considering this),? )*" +
    "(?:(?:i|we)(?:'d| would| want| need| could|'m| will|'ll)? (?:like|love|need|want|to|" +
    "looking|add|" +
    "use)|i'd|i want|hi\\b|hello\\b|maybe|consider|add|write|implement|create|make|move|" +
    "rename|print|document|sort|list|show|explain|describe|" +
    "summari[sz]e|test|look|check|find|read|search|tell|give|open|run|fix|refactor|" +
    "review|have a look|" +
    "where|how|what (?:does|do|is|are|happens)|who (?:is|are|uses)|which|is there|" +
    "are there|does|do you|" +
    "export|import|book|cancel|send|generate|help|try|compare|remove the|extract|include|" +
    "log|investigate)\\b",
  "i",
);

/** Asks for work or for an answer, and states nothing by itself. */
export function isRequest(sentence: string): boolean {
  return REQUEST.test(sentence);
}
