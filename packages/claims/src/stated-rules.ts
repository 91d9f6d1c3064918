import { doubtIn, isRequest } from "./doubt-phrases.ts";
import type { Line } from "./lines.ts";
import { hasOther, intersects, literalsIn } from "./literals.ts";
import type { Contest } from "./mentions.ts";
import { anyWord } from "./patterns.ts";
import { heaviest, rarityOf } from "./rarity.ts";
import type { Sentence } from "./sentences.ts";
import type { SpanClaims } from "./span-claims.ts";
import type { Statement } from "./topics.ts";
import { topicsIn } from "./words.ts";

/*
 * Rules in documents, and later sentences about the same thing that say something else. Its rare
 * words tell what a sentence is about; numbers, weekdays, negations and permissions tell that it
 * says something else, and verbs do not.
 */

const OBLIGES = anyWord(
  "must|shall|should|always|never|only|need(?:s|ed)?|requires?|required|have to|has to",
  "every|each|any|all|at most|at least|no more than|up to|exceeds?|before|after|first|within",
  "without|cannot|may|can|allowed|permitted|forbidden|do not|don't|use|keep|kept|are|is",
  "limit\\w*|maximum|minimum|mandatory|until|per",
);

/** A sentence of a document that lays something down: one with a value counts for more. */
function weightOf(text: string): number {
  if (text.length < 20 || /\bI\b/.test(text) || text.split(" ").length < 4 || isRequest(text))
    return 0;
  const { numbers, days } = literalsIn(text);
  const obliges = OBLIGES.test(text) ? 1 : 0;
  return obliges + (numbers.size > 0 ? 2 : 0) + (days.size > 0 ? 2 : 0) + (isFirm(text) ? 1 : 0);
}

const FIRM = anyWord(
  "must|shall|always|never|only|at most|at least|no more than|required?|requires|do not|may|exceeds?",
);

function isFirm(text: string): boolean {
  return FIRM.test(text);
}

/** Commands and code in a document. */
const CODE = /[{}|\\]|\$[A-Za-z({]|\w ?=|;$|(?:^|\s)--?[a-z]|\w\(\)|^\S+\/\S+ /;

/** Most rules of one document. */
const MAX_RULES = 32;

/** Adds the sentences of a document that lay something down, in the order of the document. */
export function addStatedRules(findings: SpanClaims, scope: string, lines: readonly Line[]): void {
  const found: { readonly text: string; readonly quote: string; readonly weight: number }[] = [];
  let fenced = false;
  let inside: string | undefined;
  for (const { body, raw } of lines) {
    const line = body.trimStart().replace(/^(?:[-*>]+|\d+[.)]) /, "");
    if (line.startsWith("```")) fenced = !fenced;
    // What a tool or a harness puts in tags is not the document's.
    const tag = /^<(\/?)([a-z]+[-_][\w-]+)>$/.exec(line);
    if (tag !== null) inside = tag[1] === "" ? tag[2] : undefined;
    if (fenced || inside !== undefined || line === "" || /^[|<#[]/.test(line)) continue;
    if (CODE.test(line)) continue;
    for (const text of line.split(/(?<=[.!?])\s+/)) {
      const weight = weightOf(text);
      if (weight > 0) found.push({ text, quote: raw, weight });
    }
  }
  const rare = rarityOf(found.map(({ text }) => topicsIn(text)));
  const weights = found.map(({ weight }, i) => weight + 4 * (rare[i] ?? 0));
  for (const { text, quote } of heaviest(found, weights, MAX_RULES)) {
    if (!findings.says(quote)) findings.add({ statement: text, scope, quote });
  }
}

type Lookup = (word: string) => readonly Statement[];

/** Statements that one sentence contests. */
const MAX_CONTESTED = 2;

/** What a sentence says against statements that are known. */
export function rulesAgainst(
  sentence: Sentence,
  lookup: Lookup,
  known: ReadonlySet<string>,
): Contest[] {
  if (!sentence.spoken) return [];
  const topics = topicsIn(sentence.text);
  const shared = new Map<Statement["claim"], number>();
  const byClaim = new Map<Statement["claim"], Statement>();
  for (const topic of topics) {
    const found = lookup(topic);
    for (const statement of found) {
      byClaim.set(statement.claim, statement);
      const weight = found.length > COMMON ? 0.4 : 1;
      shared.set(statement.claim, (shared.get(statement.claim) ?? 0) + weight);
    }
  }
  const ranked = [...shared].sort((a, b) => b[1] - a[1]).slice(0, 8);
  const found: Contest[] = [];
  for (const [claim, score] of ranked) {
    const statement = byClaim.get(claim);
    if (statement === undefined || found.length >= MAX_CONTESTED) continue;
    if (score < (ranked[0]?.[1] ?? 0)) break;
    if (known.has(claim.id)) continue;
    const note = differs(sentence.text, topics, statement, score);
    if (note !== undefined) found.push({ sentence, known: claim, note, weight: score });
  }
  return found;
}

/** A word of more statements than this says little. */
const COMMON = 12;

function differs(
  text: string,
  topics: ReadonlySet<string>,
  { claim: { statement, key }, topics: own }: Statement,
  score: number,
): string | undefined {
  const [said, known] = [literalsIn(text), literalsIn(statement)];
  const telling = new Set([...said.numbers].filter((number) => Math.abs(number) > 1));
  const same = intersects(telling, known.numbers) || intersects(said.days, known.days);
  const about = score + (same ? SAME : 0);
  const short = topics.size <= 3;
  if (isRequest(text) || about < 1 || (about < 2 && topics.size > MAX_INLINE)) return undefined;
  const doubt = doubtIn(text);
  const lays = LAYS.test(text) || doubt === "strong" || text.split(" ").length <= MAX_TERSE;
  if (known.days.size > 0 && hasOther(said.days, known.days) && lays)
    return "another day said later";
  const covers = score / Math.max(1, Math.min(topics.size, own.size));
  const otherNumber = hasOther(said.numbers, known.numbers) && (!same || doubt !== undefined);
  if (otherNumber && known.numbers.size > 0 && unitsAgree(text, statement)) {
    if (score >= CLOSE || (lays && (covers >= HALF || short))) {
      return "another number said later";
    }
  }
  if (same && doubt === "strong" && covers >= HALF) return "put in doubt later";
  if (ASKS.test(text) || score < 2 || covers < MOST) return undefined;
  const firm = isFirm(statement) || score >= CLOSE;
  if (key === undefined && firm && isOpposite(text, statement)) return "said otherwise later";
  return doubt === "strong" ? "put in doubt later" : undefined;
}

/** Asks, or tells what somebody did, and lays nothing down. */
const ASKS = /\?\s*$|^\W*(?:why|what|how|where|when|who|which|if|did|does|is|are|i|i'm|i've|my)\b/i;

/** What numbers count, where both sentences say it: two of hours, or hours and kilos. */
function unitsAgree(one: string, other: string): boolean {
  const [a, b] = [unitsIn(one), unitsIn(other)];
  return a.size === 0 || b.size === 0 || intersects(a, b);
}

/** A number and the two words after it: "5 working days". */
const COUNTED = new RegExp(
  "\\b(?:\\d[\\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|" +
    "forty|fifty)[ -]([a-z]{3,})(?:[ -]([a-z]{3,}))?",
  "gi",
);

function unitsIn(text: string): Set<string> {
  const units = [...text.matchAll(COUNTED)].map(([, first, second = ""]) => `${first} ${second}`);
  return topicsIn(units.join(" ").replace(TIME, "time").replace(PEOPLE, "person"));
}

/** What differs in name alone: two days may be said against 24 hours. */
const TIME =
  /\b(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|years?|sprints?)\b/gi;
const PEOPLE =
  /\b(?:people|persons?|engineers?|reviewers?|approvers?|approvals?|developers?|leads?)\b/gi;

/** Rare words in common of two sentences on one thing, whatever their form. */
const CLOSE = 3;
/** Parts of the rare words of the shorter of two sentences that the other has too. */
const HALF = 0.4;
const MOST = 0.6;
/** An equal number or day counts for as much as a rare word. */
const SAME = 1;
/** Topics of a sentence that has one in common with a rule and says something of it. */
const MAX_INLINE = 6;
/** Words of a note rather than a sentence. */
const MAX_TERSE = 6;

const LAYS = anyWord(
  "must|shall|should|always|never|only|need(?:s|ed)?|requires?|required|mandatory|have to|has to",
  "at most|at least|max(?:imum)?|min(?:imum)?|limit\\w*|cap|up to|no more|may|can|allowed",
  "permitted|valid|keep|kept|enough|until|within|is|are|now|starting",
);

/** Words of which two sentences on one thing rarely both have one and mean the same. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [anyWord("first"), anyWord("last")],
  [anyWord("before"), anyWord("after(?:wards)?")],
  [anyWord("always", "every", "all"), anyWord("never", "only", "optional", "skip", "except")],
  [
    anyWord("must", "shall", "required?s?", "have to", "needs?", "mandatory"),
    anyWord("optional|skip|leave out|may|can|unnecessary|fine|voluntary|waived?"),
  ],
  [
    anyWord("may", "can", "allowed", "permitted"),
    anyWord("must", "shall", "requires?", "have to", "forbidden", "only", "mandatory"),
  ],
  [
    anyWord("never", "do not", "don't", "not", "forbidden"),
    anyWord("may|can|allowed|permitted|fine|mandatory|must|required|we do"),
  ],
];

const NEGATES =
  /\b(?:not|no|never|none|nobody|without|neither|nor|nah|nope|skip|stop|cannot)\b|n't\b/i;

function isOpposite(text: string, rule: string): boolean {
  if (NEGATES.test(text) !== NEGATES.test(rule)) return true;
  return OPPOSITES.some(
    ([one, other]) =>
      (one.test(rule) && other.test(text) && !one.test(text)) ||
      (other.test(rule) && one.test(text) && !other.test(text)),
  );
}
