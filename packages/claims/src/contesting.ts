import { canonicalJson } from "@palimpsest/core";
import { subjectOf } from "@palimpsest/core/state";
import type { ExtractedClaim, Extraction, ExtractSpan } from "./extraction.ts";
import type { KnownClaim } from "./known-claim.ts";
import type { ConflictWithKnown, KnownClaims, Proposed } from "./known-claims.ts";
import { beside } from "./known-claims.ts";
import { linesOf } from "./lines.ts";
import type { Contest } from "./mentions.ts";
import { mentionsIn } from "./mentions.ts";
import type { Sentence } from "./sentences.ts";
import { sentencesOf } from "./sentences.ts";
import { rulesAgainst } from "./stated-rules.ts";
import { failedRun } from "./test-runs.ts";
import type { Topics } from "./topics.ts";
import { laterStatement } from "./topics.ts";

interface Known {
  readonly indexes: readonly Topics[];
  readonly known: KnownClaims;
}

/** Sentences of one span that are asserted for contesting something. */
const MAX_LATER = 6;
/** Known claims that one span contests by its words. */
const MAX_CONTESTED = 10;

/**
 * An extraction beside what a window has, and what the span says against that, whether or not its
 * extractor made a claim of it.
 */
export function contesting(
  known: KnownClaims,
  span: ExtractSpan,
  extraction: Extraction,
): Proposed {
  const proposed = beside(known, extraction);
  const topics = { indexes: known.topics.filter(({ size }) => size > 0), known };
  if (topics.indexes.length === 0 || span.kind === "tool-call" || span.kind === "reasoning")
    return proposed;
  const claims = [...proposed.claims];
  const withKnown = [...proposed.withKnown];
  addFailure(span, topics, claims, withKnown);
  addSentences(span, topics, claims, withKnown);
  return { ...proposed, claims, withKnown };
}

function addFailure(
  span: ExtractSpan,
  topics: Known,
  claims: ExtractedClaim[],
  withKnown: ConflictWithKnown[],
): void {
  const failed = failedRun(span, linesOf(span.text), (name) =>
    all(topics, (one) => one.runs(name)),
  );
  if (failed === undefined) return;
  const { statement, quote, known } = failed;
  const claim = claims.push({ statement, quote }) - 1;
  for (const { id } of known) withKnown.push({ claim, known: id, note: "failed in a later run" });
}

function addSentences(
  span: ExtractSpan,
  topics: Known,
  claims: ExtractedClaim[],
  withKnown: ConflictWithKnown[],
): void {
  const heaviest = new Map<string, Contest>();
  const sentences = sentencesOf(span);
  for (const [at, sentence] of sentences.entries()) {
    for (const contest of contestsIn(sentences, at, sentence, topics)) {
      if (isKeyedAlready(claims, contest)) continue;
      const known = heaviest.get(contest.known.id);
      if (known === undefined || known.weight < contest.weight)
        heaviest.set(contest.known.id, contest);
    }
  }
  const made = new Map<Sentence, number>();
  const contested = new Set(withKnown.map(({ known }) => known));
  for (const { known, note, sentence } of heaviest.values()) {
    if (contested.has(known.id) || contested.size >= MAX_CONTESTED) continue;
    let claim = made.get(sentence);
    if (claim === undefined && made.size >= MAX_LATER) continue;
    claim ??= claims.push({ statement: laterStatement(sentence.text), quote: sentence.quote }) - 1;
    made.set(sentence, claim);
    contested.add(known.id);
    withKnown.push({ claim, known: known.id, note });
  }
}

/**
 * A claim made of the same line has the key and another value, so the two are in conflict without
 * more. The line said twice would leave the conflict open when that claim is retracted.
 */
function isKeyedAlready(claims: readonly ExtractedClaim[], { known, sentence }: Contest): boolean {
  return claims.some(
    (claim) =>
      claim.key !== undefined &&
      claim.quote.includes(sentence.quote) &&
      subjectOf(claim) === subjectOf(known) &&
      canonicalJson(claim.value ?? null) !== canonicalJson(known.value ?? null),
  );
}

function contestsIn(
  sentences: readonly Sentence[],
  at: number,
  sentence: Sentence,
  topics: Known,
): Contest[] {
  const named = mentionsIn(sentences, at, (word) => all(topics, (one) => one.named(word)));
  const known = new Set(named.map((one) => one.known.id));
  const rules = rulesAgainst(sentence, (word) => all(topics, (one) => one.statements(word)), known);
  return [...named, ...rules];
}

/** What several indexes have of claims that stand, the first ones first. */
function all<T extends { readonly claim: KnownClaim }>(
  { indexes, known }: Known,
  of: (one: Topics) => readonly T[],
): readonly T[] {
  return indexes.flatMap(of).filter(({ claim }) => known.stands(claim.id));
}
