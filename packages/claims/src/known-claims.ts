import type { ExtractedClaim, Extraction } from "./extraction.ts";
import { isHedge, isQualified, isRule, statedValue } from "./hedges.ts";
import { isSpecific, keyForm } from "./keyed.ts";
import type { KnownClaim } from "./known-claim.ts";
import { editedStatement } from "./overtaken-statements.ts";
import { fileOf, isSameFile } from "./paths.ts";
import { sameValue } from "./scalars.ts";
import { namesOf } from "./stated-values.ts";
import { isGenerated, Topics } from "./topics.ts";

/** A new claim, by index, in tension with one that is known already. */
export interface ConflictWithKnown {
  readonly claim: number;
  readonly known: string;
  readonly note: string;
}

/** An extraction beside what a window has, ready to be asserted. */
export interface Proposed extends Extraction {
  readonly withKnown: readonly ConflictWithKnown[];
}

/**
 * What is worth asserting of an extraction. That a file was edited is worth it only where something
 * is known of the file that may no longer hold.
 */
export function beside(known: KnownClaims, extraction: Extraction): Proposed {
  const withKnown = known.conflictsWith(extraction.claims);
  const used = new Set(withKnown.map(({ claim }) => claim));
  const kept = extraction.claims.flatMap(({ key, scope = "", statement }, index) =>
    key === undefined && statement === editedStatement(scope) && !used.has(index) ? [] : [index],
  );
  const place = new Map(kept.map((from, to) => [from, to]));
  return {
    claims: extraction.claims.filter((_, index) => place.has(index)),
    conflicts: extraction.conflicts.flatMap(({ a, b, note }) => {
      const [one, other] = [place.get(a), place.get(b)];
      return one === undefined || other === undefined ? [] : [{ a: one, b: other, note }];
    }),
    withKnown: withKnown.map((one) => ({ ...one, claim: place.get(one.claim) ?? one.claim })),
    leftOut: extraction.leftOut,
  };
}

/** Most conflicts of one extraction with what is known. */
const MAX_WITH_KNOWN = 20;
/** Most of them for one edit of a file: the sign that it was edited is what matters. */
const MAX_READ = 5;

/**
 * Known claims by the things they are about, across scopes. Keep one for a window and add what is
 * asserted, or build it anew: the answer depends on what is in it alone.
 */
export class KnownClaims {
  readonly #byKey = new Map<string, KnownClaim[]>();
  readonly #byName = new Map<string, KnownClaim[]>();
  readonly #byScope = new Map<string, KnownClaim[]>();
  readonly #bySource = new Map<string, { readonly id: string; readonly source: string }[]>();
  readonly #topics = new Topics();

  constructor(claims: Iterable<KnownClaim> = []) {
    for (const claim of claims) this.add(claim);
  }

  /** What the claims are about, by words; of a window, and of the append on top of it. */
  get topics(): readonly Topics[] {
    return [this.#topics];
  }

  /** Whether a claim still stands; one that was retracted is contested no more. */
  stands(_id: string): boolean {
    return true;
  }

  /** `source`: the file or address that its carrier came from, where it is not its scope. */
  add(claim: KnownClaim, source = claim.scope): void {
    if (source !== undefined) addTo(this.#bySource, fileOf(source), { id: claim.id, source });
    this.#topics.add(claim);
    if (claim.key === undefined) {
      const remark = isQualified(claim.statement) && !isGenerated(claim.statement);
      for (const name of remark ? new Set(namesOf(claim.statement).map(keyForm)) : []) {
        addTo(this.#byName, name, claim);
      }
      return;
    }
    if (isSpecific(claim.key)) addTo(this.#byKey, keyForm(claim.key), claim);
    if (claim.scope !== undefined) addTo(this.#byScope, fileOf(claim.scope), claim);
  }

  /** Ids of the claims made of one source, in order. */
  from(source: string): string[] {
    const sameName = this.#bySource.get(fileOf(source)) ?? [];
    return sameName.filter((one) => isSameFile(one.source, source)).map(({ id }) => id);
  }

  /**
   * Conflicts between claims of different scopes, which equal keys alone do not make: one side
   * qualifies the other, lays down a rule, or is the edit of the file that the other was read from.
   */
  conflictsWith(claims: readonly ExtractedClaim[], stands: Stands = always): ConflictWithKnown[] {
    const found = claims.flatMap((claim, index) => {
      const { key } = claim;
      const others = key === undefined ? this.#unkeyed(claim, stands) : this.#keyed(claim, key);
      return others
        .filter(({ known }) => stands(known.id))
        .map(({ known, note }) => ({ claim: index, known: known.id, note }));
    });
    return found.slice(0, MAX_WITH_KNOWN);
  }

  #keyed(claim: ExtractedClaim, key: string): Found[] {
    if (!isSpecific(key)) return [];
    const form = keyForm(key);
    const values = (this.#byKey.get(form) ?? []).filter(
      (known) =>
        known.scope !== claim.scope &&
        !sameValue(known.value, claim.value) &&
        (overrules(claim) || overrules(known)),
    );
    const remarks = this.#byName.get(form) ?? [];
    return [
      ...values.map((known) => ({ known, note: "another value elsewhere" })),
      ...remarks.map((known) => ({ known, note: "qualified by a remark elsewhere" })),
    ];
  }

  #unkeyed({ statement, scope = "" }: ExtractedClaim, stands: Stands): Found[] {
    const read = (this.#byScope.get(fileOf(scope)) ?? []).filter(
      ({ id, scope: own }) => own !== undefined && isSameFile(own, scope) && stands(id),
    );
    if (statement === editedStatement(scope)) {
      const note = "read before the file was edited";
      return read.slice(0, MAX_READ).map((known) => ({ known, note }));
    }
    if (!isQualified(statement)) return [];
    const named = namesOf(statement)
      .map(keyForm)
      .flatMap((name) => this.#byKey.get(name) ?? []);
    if (named.length > 0) {
      return named.map((known) => ({ known, note: "qualified by a remark elsewhere" }));
    }
    const value = statedValue(statement);
    if (value === undefined || read.length > MAX_READ) return [];
    return read
      .filter((known) => !sameValue(known.value, value))
      .map((known) => ({ known, note: "may be qualified by a remark on the same file" }));
  }
}

type Stands = (id: string) => boolean;

const always: Stands = () => true;

interface Found {
  readonly known: KnownClaim;
  readonly note: string;
}

/** A claim that says what another source's value is to be: a hedge, a rule, a person's word. */
function overrules({ scope, statement }: Pick<KnownClaim, "scope" | "statement">): boolean {
  return scope === "user" || isHedge(statement, false) || isRule(statement);
}

function addTo<T>(map: Map<string, T[]>, key: string, one: T): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, [one]);
  else known.push(one);
}
