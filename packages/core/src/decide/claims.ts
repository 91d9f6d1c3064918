import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { CommandOf } from "../commands/schema.ts";
import type { SourceRef, WindowEventOf } from "../events/schema.ts";
import { contentText } from "../json/digest.ts";
import { identityOf } from "../state/claim-identity.ts";
import type { Claim } from "../state/claims.ts";
import { findClaim } from "../state/claims.ts";
import { isVisible, openConflicts } from "../state/protection.ts";
import { chooseQuote, MAX_QUOTE, startOf, valueText, widen } from "../state/quote.ts";
import type { Span, WindowState } from "../state/state.ts";
import { findSpan } from "../state/state.ts";
import { mintClaimId } from "./ids.ts";
import { ledgerFull } from "./ledger-share.ts";
import type { Act, Outcome } from "./outcome.ts";
import { checkContent, events, NOTHING, refuse, refused } from "./outcome.ts";
import { liveSpans, lostContent, unknownSpan } from "./spans.ts";

type Assertion = CommandOf<"assertClaim">;

export function decideAssert(state: WindowState, claim: Assertion, act: Act): Outcome {
  const malformed = malformedClaim(claim);
  if (malformed !== undefined) return refused(malformed);
  const { kind = "fact", because = [] } = claim;
  const known = state.claimIdentity.get(identityOf({ ...claim, kind }));
  const same = known === undefined ? undefined : state.claims.get(known);
  const problems = [...identityProblems(state, claim, same), ...citeProblems(state, kind, because)];
  const carrier = carrierOf(state, claim.carrier, problems);
  const cited = citedSpans(state, because, problems);
  if (problems.length > 0) return refused(...problems);
  const read = [...(carrier === undefined ? [] : [carrier]), ...cited.keys()];
  const { wanted, lost } = checkContent(state, read, act.facts);
  if (wanted.length > 0) return { kind: "wanted", content: wanted };
  if (lost.length > 0) return refused(...lost.map(lostContent));
  const quote = carrier === undefined ? undefined : quoteOf(carrier, claim, act);
  if (typeof quote === "object") return refused(quote);
  const missing = missingQuotes(cited, act);
  if (missing.length > 0) return refused(...missing);
  const data = { ...assertedData(state, { ...claim, kind }, same, quote), ...marked(act) };
  const event = { type: "ClaimAsserted", data } as const;
  const full = ledgerFull(state, { event, about: [data.claimId], instead: LEAVE_OUT }, act);
  return full === undefined ? events(event) : refused(full);
}

const LEAVE_OUT = "leave some out, or ask the host to retract what no longer matters";

/** Longest value, in UTF-16 code units of its RFC 8785 form: a ledger line stays a line. */
const MAX_VALUE = 2000;

function malformedClaim({ key, value, quote, carrier, because }: Assertion): Refusal | undefined {
  if (value !== undefined && valueText(value).length > MAX_VALUE) {
    return refusal("invalid-command", `a value has at most ${MAX_VALUE} characters: shorten it`);
  }
  if ((key === undefined) !== (value === undefined)) {
    return refusal("invalid-command", "a claim has both key and value, or neither");
  }
  if (quote !== undefined && carrier === undefined) {
    return refusal("invalid-command", "a quote needs the carrier it stands in: name the span");
  }
  const quotes = [quote, ...(because ?? []).map((ref) => ("quote" in ref ? ref.quote : undefined))];
  if (quotes.some((one) => one !== undefined && one.length > MAX_QUOTE)) {
    return refusal("invalid-command", `a quote has at most ${MAX_QUOTE} characters: shorten it`);
  }
  return undefined;
}

function identityProblems(
  state: WindowState,
  { claimId, supersedes }: Assertion,
  same: Claim | undefined,
): Refusal[] {
  if (same?.retracted !== undefined) return [retractedRefusal(same)];
  const problems: Refusal[] = [];
  const taken = claimId === undefined ? undefined : findClaim(state, claimId);
  if (taken !== undefined && taken !== same) {
    problems.push(
      refusal("id-taken", `a claim ${claimId} exists already: choose another id`, {
        claimId: taken.id,
      }),
    );
  }
  if (supersedes !== undefined && findClaim(state, supersedes) === undefined) {
    problems.push(unknownClaim(supersedes));
  }
  return problems;
}

function retractedRefusal({ id, retracted }: Claim): Refusal {
  return refusal(
    "claim-retracted",
    `claim ${id} was retracted by ${retracted?.by}: ${startOf(retracted?.reason ?? "", 200)}; ` +
      "assert what is true now as a new claim that supersedes it",
    { claimId: id },
  );
}

/** A decision cites at least one claim; what it cites is in sight and in force. */
function citeProblems(
  state: WindowState,
  kind: "fact" | "decision",
  because: readonly SourceRef[],
): Refusal[] {
  const problems: Refusal[] = [];
  let claims = 0;
  for (const ref of because) {
    if (!("claim" in ref)) continue;
    claims += 1;
    const claim = findClaim(state, ref.claim);
    if (claim === undefined) problems.push(unknownClaim(ref.claim));
    else if (claim.retracted !== undefined) problems.push(retractedRefusal(claim));
    else if (kind === "decision" && !isVisible(state, claim)) problems.push(notVisible(claim));
  }
  if (kind === "decision" && claims === 0) {
    problems.push(
      refusal("invalid-command", "a decision rests on at least one claim: cite it in because"),
    );
  }
  return problems;
}

function notVisible({ id }: Claim): Refusal {
  return refusal(
    "claim-not-visible",
    `claim ${id} is out of sight, so nobody can have relied on it: recall its carrier first`,
    { claimId: id },
  );
}

export function unknownClaim(claimId: string): Refusal {
  return refusal("unknown-claim", `no claim ${claimId} was ever asserted: look at claims for ids`, {
    claimId,
  });
}

function carrierOf(
  state: WindowState,
  carrier: string | undefined,
  problems: Refusal[],
): Span | undefined {
  if (carrier === undefined) return undefined;
  const found = liveSpans(state, [carrier]);
  problems.push(...found.problems);
  return found.spans[0];
}

/** The spans that `because` names, with the words each must hold. */
function citedSpans(
  state: WindowState,
  because: readonly SourceRef[],
  problems: Refusal[],
): Map<Span, string[]> {
  const cited = new Map<Span, string[]>();
  for (const ref of because) {
    if (!("span" in ref)) continue;
    const span = findSpan(state, ref.span);
    if (span === undefined) problems.push(unknownSpan(ref.span));
    else cited.set(span, [...(cited.get(span) ?? []), ref.quote]);
  }
  return cited;
}

function textOf(span: Span, { facts }: Act): string {
  const fact = facts.get(span.contentRevision);
  return fact?.intact === true ? contentText(fact.content) : "";
}

/** The claim's words in its carrier; undefined for one without words, a refusal if missing. */
function quoteOf(carrier: Span, claim: Assertion, act: Act): string | undefined | Refusal {
  const text = textOf(carrier, act);
  const quote = claim.quote === undefined ? chooseQuote(text, claim) : widen(text, claim.quote);
  if (quote === undefined) {
    if (claim.quote === undefined && claim.key === undefined) return undefined;
    const words = claim.quote ?? valueText(claim.value ?? null);
    return words.length > MAX_QUOTE ? valueTooLong(carrier) : quoteNotFound(carrier, words);
  }
  if (claim.value === undefined || quote.includes(valueText(claim.value))) return quote;
  return refusal(
    "quote-not-found",
    `the quote from span ${carrier.id} does not hold the claim's value: quote the line that does`,
    { spanId: carrier.id, quote },
  );
}

function quoteNotFound(span: Span, quote: string): Refusal {
  return refusal(
    "quote-not-found",
    `span ${span.id} does not hold these words: quote it literally, or name another span`,
    { spanId: span.id, quote: startOf(quote, MAX_QUOTE) },
  );
}

/** A quote that holds such a value would be longer than a quote may be. */
function valueTooLong({ id }: Span): Refusal {
  return refusal(
    "quote-not-found",
    `no quote of ${MAX_QUOTE} characters from span ${id} holds the claim's value: shorten the ` +
      "value, or name no carrier",
    { spanId: id },
  );
}

function missingQuotes(cited: ReadonlyMap<Span, readonly string[]>, act: Act): Refusal[] {
  return [...cited].flatMap(([span, quotes]) => {
    const text = textOf(span, act);
    const missing = quotes.filter((quote) => quote === "" || !text.includes(quote));
    return missing.map((quote) => quoteNotFound(span, quote));
  });
}

function assertedData(
  state: WindowState,
  claim: Assertion & { readonly kind: "fact" | "decision" },
  same: Claim | undefined,
  quote: string | undefined,
): WindowEventOf<"ClaimAsserted">["data"] {
  const { kind, statement, scope, key, value, evidence, carrier, supersedes } = claim;
  // A carrier without words says nothing, so nothing rests on it.
  const itself = carrier === undefined || quote === undefined ? [] : [{ span: carrier, quote }];
  return {
    claimId: same?.id ?? claim.claimId ?? mintClaimId(state),
    kind,
    statement,
    because: claim.because ?? itself,
    ...(scope !== undefined && { scope }),
    ...(key !== undefined && { key }),
    ...(value !== undefined && { value }),
    ...(evidence === true && { evidence }),
    ...(carrier !== undefined && { carrier }),
    ...(quote !== undefined && { quote }),
    ...(supersedes !== undefined && { supersedes }),
  };
}

/** A claim that nobody asked for does not show that anybody read what it rests on. */
function marked({ optional }: Act): { readonly extracted?: true } {
  return optional ? { extracted: true } : {};
}

export function decideRetract(
  state: WindowState,
  { claimId, reason, supersededBy }: CommandOf<"retractClaim">,
  act: Act,
): Outcome {
  const claim = findClaim(state, claimId);
  if (claim === undefined) return refused(unknownClaim(claimId));
  if (claim.retracted !== undefined) return refused(retractedRefusal(claim));
  if (supersededBy === claimId) {
    return refuse("invalid-command", "a claim does not supersede itself: name the one that does");
  }
  const successor = supersededBy === undefined ? undefined : findClaim(state, supersededBy);
  if (supersededBy !== undefined && successor === undefined) {
    return refused(unknownClaim(supersededBy));
  }
  if (successor?.retracted !== undefined) return refused(retractedRefusal(successor));
  const data = { claimId, reason, ...(supersededBy !== undefined && { supersededBy }) };
  const event = { type: "ClaimRetracted", data } as const;
  const instead = "give a shorter reason, or ask the host to retract it";
  const full = ledgerFull(state, { event, about: [claimId], instead }, act);
  return full === undefined ? events(event) : refused(full);
}

export function decideConflict(
  state: WindowState,
  { a, b, note }: CommandOf<"noteConflict">,
  act: Act,
): Outcome {
  if (a === b) return refuse("invalid-command", "a claim is not in conflict with itself");
  const problems: Refusal[] = [];
  for (const id of [a, b]) {
    const claim = findClaim(state, id);
    if (claim === undefined) problems.push(unknownClaim(id));
    else if (claim.retracted !== undefined) problems.push(retractedRefusal(claim));
  }
  const first = findClaim(state, a);
  if (problems.length > 0 || first === undefined) return refused(...problems);
  if (openConflicts(state, first).some(({ id }) => id === b)) return NOTHING;
  const data = { a, b, ...(note !== undefined && { note }) };
  const event = { type: "ConflictNoted", data } as const;
  const full = ledgerFull(state, { event, about: [a, b], instead: LEAVE_OUT }, act);
  return full === undefined ? events(event) : refused(full);
}

export function decideObserve(
  state: WindowState,
  { uri, digest }: CommandOf<"observeSource">,
): Outcome {
  if (state.sources.get(uri) === digest) return NOTHING;
  return events({ type: "SourceObserved", data: { uri, digest } });
}
