import type { Claim, Claims } from "../fold/claims.ts";
import { fallenGrounds, hasFallen } from "../fold/fallen.ts";
import type { Fold } from "../fold/fold.ts";
import { NONE } from "../fold/spans.ts";
import { oneLine } from "./text.ts";

/** The claim lines of docs/rendering.md: claims, revived text, closed conflicts. */
export function claimLines(fold: Fold): string[] {
  const { claims } = fold;
  if (claims.all.length === 0) return [];
  const contested: string[] = [];
  const others: string[] = [];
  const revived: string[] = [];
  const history: string[] = [];
  for (const claim of claims.all) {
    revived.push(...revivedLine(fold, claim));
    history.push(...historyLines(claims, claim));
    if (claim.retracted !== undefined) continue;
    const conflicts = claims.openConflicts(claim);
    if (conflicts.length > 0) contested.push(claimLine(fold, claim, conflicts));
    else if (needsLine(fold, claim)) others.push(claimLine(fold, claim, conflicts));
  }
  return [...contested, ...others, ...revived, ...history];
}

function needsLine(fold: Fold, claim: Claim): boolean {
  const { claims } = fold;
  if (claims.isWithdrawn(claim)) return false;
  if (claim.carriers.length > 0 && !claims.isProtected(claim)) return false;
  return claims.liveCarrier(claim) === NONE || hasFallen(fold, claim);
}

function claimLine(fold: Fold, claim: Claim, conflicts: readonly Claim[]): string {
  const { spans, claims } = fold;
  const { id, kind, by, statement, scope, key, value, quote } = claim;
  const live = claims.liveCarrier(claim);
  const carrier = claim.carriers.find((span) => !spans.isSealed(span)) ?? claim.carriers[0];
  const words = ["::claim", id, kind, claims.standing(claim), "by", by, oneLine(statement)];
  if (scope !== undefined) words.push("scope", oneLine(scope));
  if (key !== undefined) words.push("key", oneLine(key));
  if (value !== undefined) words.push("value", oneLine(value));
  if (quote !== undefined) words.push("quote", oneLine(quote));
  const { changed, retracted } = fallenGrounds(fold, claim);
  for (const uri of changed) words.push("changed", oneLine(uri));
  for (const other of retracted) words.push("retracted", other);
  if (conflicts.length > 0) words.push("contested", conflicts.map((other) => other.id).join(","));
  if (live !== NONE) words.push("live", spans.id(live));
  else if (carrier !== undefined) words.push("recall", spans.id(carrier));
  return words.join(" ");
}

function revivedLine({ spans, claims }: Fold, claim: Claim): string[] {
  if (claim.retracted === undefined) return [];
  const live = claims.liveCarrier(claim);
  if (live === NONE) return [];
  const { by, reason } = claim.retracted;
  const quote = oneLine(claim.quote ?? claim.statement);
  return [
    `::retracted ${claim.id} by ${by}: ${oneLine(reason)}; ` +
      `do not rely on ${quote} in ${spans.id(live)}`,
  ];
}

function historyLines(claims: Claims, claim: Claim): string[] {
  if (!claims.isProtected(claim)) return [];
  return claims.closedConflicts(claim).flatMap(({ id, statement, retracted }) => {
    if (retracted === undefined) return [];
    const { by, reason } = retracted;
    return [
      `::history ${claim.id} was contested by ${id} ${oneLine(statement)}; ` +
        `retracted by ${by}: ${oneLine(reason)}`,
    ];
  });
}
