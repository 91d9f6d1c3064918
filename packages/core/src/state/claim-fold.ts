import { produce } from "immer";
import type { Map as PersistentMap } from "immutable";
import { isModel } from "../commands/principals.ts";
import type { WindowEventOf } from "../events/schema.ts";
import { identityOf, subjectOf } from "./claim-identity.ts";
import type { Claim } from "./claims.ts";
import { claimAt, opposing } from "./claims.ts";
import type { Draft } from "./draft.ts";
import type { Write } from "./marks.ts";
import { ABSENT } from "./marks.ts";
import { countRead } from "./reads.ts";
import { restand } from "./standing.ts";

type Asserted = WindowEventOf<"ClaimAsserted">["data"];

/** A first assertion makes the claim; each later one is one more justification of it. */
export function assertClaim(draft: Draft, data: Asserted, by: string): void {
  const known = draft.claimIndex.get(data.claimId);
  const named = data.carrier === undefined ? undefined : draft.spans.indexOf(data.carrier);
  // A recall carries what its original carries, so a claim made on one belongs to the original.
  const carrier = named === undefined ? undefined : (draft.spans.get(named)?.recallIndex ?? named);
  const index = known ?? addClaim(draft, data, by);
  draft.claims = draft.claims.update(index, (claim) =>
    produce(claim as Claim, (one) => {
      one.justifications.push(data.because);
      if (carrier !== undefined && !one.carriers.includes(carrier)) one.carriers.push(carrier);
      if (one.quote === undefined && data.quote !== undefined) one.quote = data.quote;
      if (data.evidence === true) one.evidence = true;
      if (data.evidence === true && !isModel(by)) one.evidenceBeyondModel = true;
      if (data.extracted !== true) one.extracted = false;
    }),
  );
  if (carrier !== undefined) draft.carriedBy = added(draft.carriedBy, carrier, index);
  for (const spanId of citedSpans(data)) countRead(draft, spanId);
  for (const ref of data.because) {
    if ("claim" in ref) {
      const cited = draft.claimIndex.get(ref.claim);
      if (cited === undefined) continue;
      draft.restOnClaim = added(draft.restOnClaim, cited, index);
      if (data.kind === "decision") draft.watched = draft.watched.add(cited);
    } else if ("uri" in ref) draft.restOnUri = added(draft.restOnUri, ref.uri, index);
    else {
      const span = draft.spans.indexOf(ref.span);
      if (span !== undefined) draft.restOnSpan = added(draft.restOnSpan, span, index);
    }
  }
  watch(draft, index);
  draft.verified = restand(draft, [index]);
  if (known !== undefined || draft.watched.has(index)) draft.ledgerKey = [];
}

/** Whoever cites a span has read it; an extractor reads everything, which says nothing. */
function citedSpans({ carrier, because, extracted }: Asserted): Set<string> {
  const cited = because.flatMap((ref) => ("span" in ref ? [ref.span] : []));
  return new Set(extracted === true ? [] : [...(carrier === undefined ? [] : [carrier]), ...cited]);
}

function addClaim(draft: Draft, data: Asserted, by: string): number {
  const { claimId, kind, scope, key, value, statement, supersedes } = data;
  const index = draft.claims.size;
  draft.claims = draft.claims.push({
    index,
    id: claimId,
    kind,
    statement,
    by,
    evidence: false,
    evidenceBeyondModel: false,
    extracted: true,
    carriers: [],
    justifications: [],
    ...(scope !== undefined && { scope }),
    ...(key !== undefined && { key }),
    ...(value !== undefined && { value }),
    ...(supersedes !== undefined && { supersedes }),
  });
  draft.claimIndex = draft.claimIndex.set(claimId, index);
  draft.claimIdentity = draft.claimIdentity.set(identityOf(data), index);
  const subject = subjectOf(data);
  if (subject !== undefined) draft.subjects = added(draft.subjects, subject, index);
  return index;
}

/** Notes that a claim, and whatever is in tension with it, may have a line in the ledger. */
function watch(draft: Draft, index: number): void {
  const claim = claimAt(draft, index);
  const others = opposing(draft, claim, subjectOf(claim));
  const own = claim.kind === "decision" || claim.evidence || claim.carriers.length === 0;
  if (!own && others.length === 0 && claim.retracted === undefined) return;
  draft.watched = draft.watched.union([index, ...others.map((other) => other.index)]);
}

export function retractClaim(
  draft: Draft,
  { claimId, reason }: WindowEventOf<"ClaimRetracted">["data"],
  by: string,
): void {
  const index = draft.claimIndex.get(claimId);
  if (index === undefined) return;
  const claims = draft.claims.size;
  draft.claims = draft.claims.update(index, (claim) =>
    produce(claim as Claim, (one) => {
      one.retracted ??= { by, reason, claims };
    }),
  );
  watch(draft, index);
  draft.verified = restand(draft, [index]);
  draft.ledgerKey = [];
}

export function noteConflict(
  draft: Draft,
  { a, b }: WindowEventOf<"ConflictNoted">["data"],
  by: string,
): void {
  const [one, other] = [draft.claimIndex.get(a), draft.claimIndex.get(b)];
  if (one === undefined || other === undefined) return;
  for (const [side, claim] of [
    [one, other],
    [other, one],
  ] as const) {
    draft.noted = draft.noted.set(side, [...(draft.noted.get(side) ?? []), { claim, by }]);
  }
  draft.watched = draft.watched.union([one, other]);
  draft.ledgerKey = [];
}

/** A source was looked at: what rests on it, or on a span that came from it, may stand or fall. */
export function observeSource(draft: Draft, uri: string, digest: string | null): void {
  if (draft.sources.get(uri) === digest) return;
  draft.sources = draft.sources.set(uri, digest);
  const spans = draft.spansOf.get(uri) ?? [];
  const changed = [
    ...(draft.restOnUri.get(uri) ?? []),
    ...spans.flatMap((span) => draft.restOnSpan.get(span) ?? []),
  ];
  if (changed.length === 0) return;
  draft.verified = restand(draft, changed);
  draft.ledgerKey = [];
}

/** Spans that went out of sight or came back take their claims along. */
export function marksChanged(draft: Draft, writes: readonly Write[]): void {
  if (draft.claims.size === 0) return;
  const changed: number[] = [];
  for (const { span, before, after } of writes) {
    const carried = draft.carriedBy.get(draft.spans.get(span)?.recallIndex ?? span) ?? [];
    const resting = draft.restOnSpan.get(span) ?? [];
    if (carried.length > 0 || resting.length > 0) draft.ledgerKey = [];
    // Consumed or live, a span grounds the same; whether it is on this line of history counts.
    if ((before === ABSENT) !== (after === ABSENT)) changed.push(...resting, ...carried);
  }
  if (changed.length > 0) draft.verified = restand(draft, changed);
}

function added<K>(
  map: PersistentMap<K, readonly number[]>,
  key: K,
  index: number,
): PersistentMap<K, readonly number[]> {
  const known = map.get(key) ?? [];
  return known.includes(index) ? map : map.set(key, [...known, index]);
}
