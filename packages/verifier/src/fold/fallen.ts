import type { Claim, SourceRef } from "./claims.ts";
import type { Fold } from "./fold.ts";

type Cited = { readonly changed: Set<string>; readonly retracted: Set<string> };

/** What an unverified claim cites itself and can no longer rest on. */
export function fallenGrounds(fold: Fold, claim: Claim): Cited {
  const cited: Cited = { changed: new Set(), retracted: new Set() };
  if (fold.claims.standing(claim) !== "unverified") return cited;
  for (const ref of claim.justifications.flat()) {
    if ("claim" in ref) {
      if (fold.claims.find(ref.claim)?.retracted !== undefined) cited.retracted.add(ref.claim);
      continue;
    }
    const source = sourceOf(fold, ref);
    const observed = source && fold.claims.observed(source.uri);
    if (source === undefined || observed === undefined) continue;
    if (observed !== source.digest) cited.changed.add(source.uri);
  }
  return cited;
}

/** Whether it is unverified because something that it rests on, in the end, has fallen. */
export function hasFallen(fold: Fold, claim: Claim): boolean {
  const waiting = [claim];
  const seen = new Set(waiting);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (fold.claims.standing(next) !== "unverified") continue;
    const { changed, retracted } = fallenGrounds(fold, next);
    if (changed.size + retracted.size > 0) return true;
    for (const ref of next.justifications.flat()) {
      const cited = "claim" in ref ? fold.claims.find(ref.claim) : undefined;
      if (cited === undefined || seen.has(cited)) continue;
      seen.add(cited);
      waiting.push(cited);
    }
  }
  return false;
}

function sourceOf({ spans }: Fold, ref: SourceRef) {
  if ("uri" in ref) return ref;
  return "span" in ref ? spans.source(spans.find(ref.span)) : undefined;
}
