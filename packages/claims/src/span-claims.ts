import { identityOf, subjectOf } from "@palimpsest/core/state";
import type { ExtractedClaim, ExtractedConflict, Extraction, ExtractLimits } from "./extraction.ts";
import { sameValue } from "./scalars.ts";

/** What was found in a span so far, each claim once, within limits. */
export class SpanClaims {
  readonly #limits: ExtractLimits;
  readonly #claims: ExtractedClaim[] = [];
  readonly #byIdentity = new Map<string, number>();
  readonly #bySubject = new Map<string, number[]>();
  readonly #conflicts: ExtractedConflict[] = [];
  #conflictCount = 0;
  #claimsLeftOut = 0;
  #conflictsLeftOut = 0;

  constructor(limits: ExtractLimits) {
    this.#limits = limits;
  }

  /** The claim's index, or undefined when there is no room for it. */
  add(claim: ExtractedClaim): number | undefined {
    const identity = identityOf({ ...claim, kind: "fact" });
    const known = this.#byIdentity.get(identity);
    if (known !== undefined) return known;
    if (this.#claims.length >= this.#limits.claims) {
      this.#claimsLeftOut += 1;
      return undefined;
    }
    const opposed = this.#opposed(claim);
    if (opposed > 0 && this.#conflictCount + opposed > this.#limits.conflicts) {
      this.#conflictsLeftOut += opposed;
      return undefined;
    }
    this.#conflictCount += opposed;
    const index = this.#claims.push(claim) - 1;
    this.#byIdentity.set(identity, index);
    const subject = subjectOf(claim);
    if (subject !== undefined) {
      this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), index]);
    }
    return index;
  }

  conflict(a: number, b: number, note: string): void {
    const known = this.#conflicts.some((one) => one.a === a && one.b === b);
    if (a === b || known) return;
    if (this.#conflictCount >= this.#limits.conflicts) this.#conflictsLeftOut += 1;
    else {
      this.#conflictCount += 1;
      this.#conflicts.push({ a, b, note });
    }
  }

  /** Whether some claim quotes these lines already. */
  says(quote: string): boolean {
    return this.#claims.some((claim) => claim.quote === quote);
  }

  /** Number of keyed claims found so far. */
  get keyed(): number {
    return this.#claims.filter(({ key }) => key !== undefined).length;
  }

  result(): Extraction {
    return {
      claims: this.#claims,
      conflicts: this.#conflicts,
      leftOut: { claims: this.#claimsLeftOut, conflicts: this.#conflictsLeftOut },
    };
  }

  /** Number of claims found so far with the same scope and key and another value. */
  #opposed(claim: ExtractedClaim): number {
    const subject = subjectOf(claim);
    const same = subject === undefined ? [] : (this.#bySubject.get(subject) ?? []);
    return same.filter((index) => !sameValue(this.#claims[index]?.value, claim.value)).length;
  }
}
