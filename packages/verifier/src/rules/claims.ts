import type { WindowEventOf } from "@palimpsest/core/events";
import { identityOf } from "../fold/claims.ts";
import type { Fold } from "../fold/fold.ts";
import { NONE } from "../fold/spans.ts";
import { contentText } from "../json/canonical.ts";
import type { EventRule, Place } from "./rule.ts";

/* Design §5 and docs/decisions/claims.md. */

const family = "claims";

/** Longest quote, in UTF-16 code units. */
const MAX_QUOTE = 300;

type Asserted = WindowEventOf<"ClaimAsserted">["data"];

function assertionRule(
  code: string,
  proves: string,
  check: (data: Asserted, fold: Fold, place: Place) => string | undefined,
): EventRule {
  return {
    code,
    family,
    proves,
    on: ["ClaimAsserted"],
    check: (place) =>
      place.event.type === "ClaimAsserted" ? check(place.event.data, place.fold, place) : undefined,
  };
}

export const claimRules: readonly EventRule[] = [
  assertionRule("claim-keyed", "A claim has a key and a value, or neither.", (data) =>
    (data.key === undefined) === (data.value === undefined)
      ? undefined
      : `claim ${data.claimId} has a key without a value, or a value without a key`,
  ),
  assertionRule(
    "claim-identity",
    "A claim said again keeps its first id, and an id keeps its claim.",
    (data, { claims }) => {
      const identity = identityOf(data);
      const named = claims.find(data.claimId);
      if (named !== undefined && named.identity !== identity) {
        return `claim ${data.claimId} differs from the first claim with that id`;
      }
      const first = named === undefined ? claims.withIdentity(identity) : undefined;
      if (first === undefined || first.retracted !== undefined) return undefined;
      return `claim ${data.claimId} is claim ${first.id} under another id`;
    },
  ),
  assertionRule(
    "claim-retracted",
    "A retraction is for ever: a retracted claim is not asserted again.",
    (data, { claims }) => {
      const known = claims.withIdentity(identityOf(data)) ?? claims.find(data.claimId);
      return known?.retracted === undefined
        ? undefined
        : `claim ${data.claimId} was retracted and is asserted again`;
    },
  ),
  assertionRule(
    "claim-carrier",
    "The carrier of a claim is live when the claim is asserted.",
    ({ claimId, carrier }, { spans }) => {
      if (carrier === undefined) return undefined;
      const span = spans.find(carrier);
      return span !== NONE && spans.isLive(span)
        ? undefined
        : `claim ${claimId} names the carrier ${carrier}, which is not live`;
    },
  ),
  assertionRule(
    "claim-quote",
    "A quote is at most 300 UTF-16 code units long and stands literally in the span it names; a " +
      "claim's own quote consists of whole lines where these fit.",
    (data, { spans }, { contentAt }) => {
      if (data.quote !== undefined && data.carrier === undefined) {
        return `claim ${data.claimId} has a quote and no carrier`;
      }
      for (const { span: id, quote } of quotesOf(data)) {
        if (quote.length > MAX_QUOTE) return `a quote of claim ${data.claimId} is too long`;
        if (quote === "") return `a quote of claim ${data.claimId} is empty`;
        const span = spans.find(id);
        const content = span === NONE ? undefined : contentAt(spans.contentRevision(span));
        if (content === undefined) continue;
        const text = contentText(content);
        if (!text.includes(quote))
          return `a quote of claim ${data.claimId} does not stand in ${id}`;
        if (quote === data.quote && id === data.carrier && isCropped(text, quote)) {
          return `the quote of claim ${data.claimId} is cut out of a line of ${id}`;
        }
      }
      return undefined;
    },
  ),
  assertionRule(
    "claim-value",
    "A keyed claim with a carrier has a quote from it, and its value stands there.",
    ({ claimId, value, quote, carrier }) => {
      if (value === undefined) return undefined;
      if (quote === undefined) {
        return carrier && `claim ${claimId} has a value and no quote from ${carrier}`;
      }
      return quote.includes(contentText(value))
        ? undefined
        : `the quote of claim ${claimId} does not hold its value`;
    },
  ),
  assertionRule(
    "claim-cites",
    "What a claim rests on and what it supersedes is in this window.",
    ({ claimId, because, supersedes }, { spans, claims }) => {
      for (const ref of because) {
        if ("span" in ref && spans.find(ref.span) === NONE) {
          return `claim ${claimId} rests on span ${ref.span}, which was never born`;
        }
        if ("claim" in ref && claims.find(ref.claim) === undefined) {
          return `claim ${claimId} rests on claim ${ref.claim}, which was never asserted`;
        }
      }
      return supersedes === undefined || claims.find(supersedes) !== undefined
        ? undefined
        : `claim ${claimId} supersedes ${supersedes}, which was never asserted`;
    },
  ),
  assertionRule(
    "decision-cites",
    "A decision cites at least one claim, and only claims that were visible and not retracted.",
    ({ claimId, kind, because }, { claims }) => {
      if (kind !== "decision") return undefined;
      const cited = because.flatMap((ref) => ("claim" in ref ? [ref.claim] : []));
      if (cited.length === 0) return `decision ${claimId} cites no claim`;
      const hidden = cited.find((id) => {
        const claim = claims.find(id);
        return claim !== undefined && !claims.isVisible(claim);
      });
      return hidden === undefined
        ? undefined
        : `decision ${claimId} cites ${hidden}, which was retracted or out of sight`;
    },
  ),
  {
    code: "retraction-known",
    family,
    proves: "A retraction names a claim that stands, and each claim is retracted once.",
    on: ["ClaimRetracted"],
    check: ({ event, fold: { claims } }) => {
      if (event.type !== "ClaimRetracted") return undefined;
      const { claimId, supersededBy } = event.data;
      const claim = claims.find(claimId);
      if (claim === undefined) return `claim ${claimId} is retracted and was never asserted`;
      if (claim.retracted !== undefined) return `claim ${claimId} is retracted twice`;
      return supersededBy === undefined || claims.find(supersededBy) !== undefined
        ? undefined
        : `claim ${claimId} is superseded by ${supersededBy}, which was never asserted`;
    },
  },
  {
    code: "conflict-known",
    family,
    proves: "A noted conflict is between two different claims that stand.",
    on: ["ConflictNoted"],
    check: ({ event, fold: { claims } }) => {
      if (event.type !== "ConflictNoted") return undefined;
      const { a, b } = event.data;
      if (a === b) return `claim ${a} is noted to be in conflict with itself`;
      const gone = [a, b].find((id) => claims.find(id)?.retracted !== undefined);
      if (gone !== undefined) return `a conflict is noted with ${gone}, which was retracted`;
      const unknown = [a, b].find((id) => claims.find(id) === undefined);
      return unknown === undefined
        ? undefined
        : `a conflict is noted with ${unknown}, which was never asserted`;
    },
  },
];

/** The words that an assertion quotes, each with its span. */
function quotesOf({ carrier, quote, because }: Asserted) {
  const own = carrier === undefined || quote === undefined ? [] : [{ span: carrier, quote }];
  return [...own, ...because.flatMap((ref) => ("span" in ref ? [ref] : []))];
}

/** The words are nowhere whole lines, though the lines in which they first stand would fit. */
function isCropped(text: string, quote: string): boolean {
  if (`\n${text}\n`.includes(`\n${quote}\n`)) return false;
  const at = text.indexOf(quote);
  const start = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1;
  const end = text.indexOf("\n", at + quote.length);
  return (end < 0 ? text.length : end) - start <= MAX_QUOTE;
}

/** Asked before the schema is, since a retraction without a reason is not a valid event. */
export const retractionReason = {
  code: "retraction-reason",
  family,
  proves: "Every retraction has a reason.",
} as const;
