import type { Json, WindowEventOf } from "@palimpsest/core/events";
import { canonicalJson, contentText } from "../json/canonical.ts";
import type { Recalls } from "./recalls.ts";
import type { Spans } from "./spans.ts";
import { ABSENT, NONE } from "./spans.ts";

type Asserted = WindowEventOf<"ClaimAsserted">["data"];

/** What one assertion rests on: all of these together. */
export type Justification = Asserted["because"];
export type SourceRef = Justification[number];

export interface Claim {
  /** Place in order of first assertion. */
  readonly index: number;
  readonly id: string;
  readonly kind: "fact" | "decision";
  readonly scope?: string | undefined;
  readonly key?: string | undefined;
  readonly value?: Json | undefined;
  readonly statement: string;
  readonly by: string;
  readonly identity: string;
  evidence: boolean;
  quote?: string;
  /** Spans that its assertions name (of a recall, the span it recalls), the first one first. */
  readonly carriers: number[];
  readonly justifications: Justification[];
  /** `before`: how many claims had been asserted by then. */
  retracted?: { readonly by: string; readonly reason: string; readonly before: number };
}

export type Standing = "verified" | "unverified" | "withdrawn" | "retracted";

/** Scope and key as they are compared (docs/decisions/claims.md). */
function folded(text = ""): string {
  if (/^[ -~]*$/.test(text)) return text.toLowerCase().trim();
  const letters = [...text.normalize("NFKD").toLowerCase()];
  const upper = letters.map((one) => (one === "ı" ? one : one.toUpperCase())).join("");
  return upper.toLowerCase().replaceAll("ς", "σ").normalize("NFKC").trim();
}

export function identityOf(data: Asserted): string {
  const { kind, scope, key, value, statement, supersedes } = data;
  const what: Json[] =
    key === undefined ? ["said", statement] : ["keyed", folded(key), canonicalJson(value ?? null)];
  return canonicalJson([kind, folded(scope), ...what, supersedes ?? null]);
}

function subjectOf({ scope, key }: Pick<Claim, "scope" | "key">): string | undefined {
  return key === undefined ? undefined : canonicalJson([folded(scope), folded(key)]);
}

/** Of a keyed claim, some quote in a justification with quotes must hold the value. */
function saysValue({ key, value }: Claim, refs: Justification): boolean {
  const quotes = refs.flatMap((ref) => ("span" in ref ? [ref.quote] : []));
  if (key === undefined || quotes.length === 0) return true;
  const text = contentText(value ?? null);
  return quotes.some((quote) => quote.includes(text));
}

const GROUNDING: readonly string[] = ["user", "system", "tool"];

/** Claims, what is said against them, and what they rest on (design §5). */
export class Claims {
  readonly #spans: Spans;
  readonly #all: Claim[] = [];
  readonly #byId = new Map<string, Claim>();
  readonly #byIdentity = new Map<string, Claim>();
  readonly #bySubject = new Map<string, Claim[]>();
  readonly #noted = new Map<Claim, Set<Claim>>();
  /** Decisions that cite a claim. */
  readonly #citedBy = new Map<string, Set<Claim>>();
  readonly #recalls: Recalls;
  readonly #sources = new Map<string, string | null>();
  #retracted = 0;
  /** Undefined when something changed since the standing was last derived. */
  #verified: Set<Claim> | undefined;

  constructor(spans: Spans, recalls: Recalls) {
    this.#spans = spans;
    this.#recalls = recalls;
  }

  get all(): readonly Claim[] {
    return this.#all;
  }

  /** Unretracted claims, withdrawn ones included. */
  get distinct(): number {
    return this.#all.length - this.#retracted;
  }

  get retractedCount(): number {
    return this.#retracted;
  }

  find(id: string): Claim | undefined {
    return this.#byId.get(id);
  }

  withIdentity(identity: string): Claim | undefined {
    return this.#byIdentity.get(identity);
  }

  assert(data: Asserted, by: string): void {
    const claim = this.#byId.get(data.claimId) ?? this.#create(data, by);
    const named = data.carrier === undefined ? NONE : this.#spans.find(data.carrier);
    const first = named === NONE ? NONE : this.#spans.recallOf(named);
    // A claim on a recall is a claim on the span that it recalls.
    const carrier = first === NONE ? named : first;
    if (carrier !== NONE && !claim.carriers.includes(carrier)) claim.carriers.push(carrier);
    if (data.evidence === true) claim.evidence = true;
    if (claim.quote === undefined && data.quote !== undefined) claim.quote = data.quote;
    claim.justifications.push(data.because);
    for (const ref of data.because) {
      if (!("claim" in ref) || claim.kind !== "decision") continue;
      const citing = this.#citedBy.get(ref.claim) ?? new Set();
      this.#citedBy.set(ref.claim, citing.add(claim));
    }
    this.touch();
  }

  retract({ claimId, reason }: WindowEventOf<"ClaimRetracted">["data"], by: string): void {
    const claim = this.#byId.get(claimId);
    if (claim === undefined || claim.retracted !== undefined) return;
    claim.retracted = { by, reason, before: this.#all.length };
    this.#retracted += 1;
    this.touch();
  }

  noteConflict({ a, b }: WindowEventOf<"ConflictNoted">["data"]): void {
    const [one, other] = [this.#byId.get(a), this.#byId.get(b)];
    if (one === undefined || other === undefined) return;
    this.#noted.set(one, (this.#noted.get(one) ?? new Set()).add(other));
    this.#noted.set(other, (this.#noted.get(other) ?? new Set()).add(one));
  }

  observe(uri: string, digest: string | null): void {
    if (this.#sources.get(uri) === digest) return;
    this.#sources.set(uri, digest);
    this.touch();
  }

  /** The digest last observed of a source, null for one that was gone. */
  observed(uri: string): string | null | undefined {
    return this.#sources.get(uri);
  }

  /** Something that standing depends on has changed. */
  touch(): void {
    this.#verified = undefined;
  }

  /** The spans that carry a claim: those its assertions name, and recalls of those. */
  carriersOf(claim: Claim): number[] {
    return claim.carriers.flatMap((span) => [span, ...this.#recalls.of(span)]);
  }

  /** The live carrier of least position, or NONE. */
  liveCarrier(claim: Claim): number {
    let best = NONE;
    for (const span of this.carriersOf(claim)) {
      if (!this.#spans.isLive(span)) continue;
      if (best === NONE || this.#spans.slot(span) < this.#spans.slot(best)) best = span;
    }
    return best;
  }

  isWithdrawn(claim: Claim): boolean {
    if (claim.kind !== "decision" || claim.carriers.length === 0) return false;
    return this.carriersOf(claim).every((span) => this.#spans.mark(span) === ABSENT);
  }

  /** The claims that it is or was in tension with, in order of first assertion. */
  opposing(claim: Claim): Claim[] {
    const others = new Set(this.#noted.get(claim));
    const subject = subjectOf(claim);
    const value = canonicalJson(claim.value ?? null);
    for (const other of (subject === undefined ? [] : this.#bySubject.get(subject)) ?? []) {
      if (other !== claim && canonicalJson(other.value ?? null) !== value) others.add(other);
    }
    return [...others].sort((a, b) => a.index - b.index);
  }

  openConflicts(claim: Claim): Claim[] {
    if (claim.retracted !== undefined) return [];
    return this.opposing(claim).filter(({ retracted }) => retracted === undefined);
  }

  /** The conflicting claims that were retracted after this one was first asserted. */
  closedConflicts(claim: Claim): Claim[] {
    if (claim.retracted !== undefined) return [];
    return this.opposing(claim).filter(({ retracted }) => claim.index < (retracted?.before ?? 0));
  }

  isProtected(claim: Claim): boolean {
    if (claim.retracted !== undefined) return false;
    if (claim.kind === "decision" || claim.evidence) return true;
    const citing = [...(this.#citedBy.get(claim.id) ?? [])];
    if (citing.some(({ retracted }) => retracted === undefined)) return true;
    return this.openConflicts(claim).length > 0;
  }

  /** Carried by a live span, or in the ledger. */
  isVisible(claim: Claim): boolean {
    if (claim.retracted !== undefined) return false;
    if (claim.carriers.length === 0 || this.liveCarrier(claim) !== NONE) return true;
    if (!this.isProtected(claim)) return false;
    return !this.isWithdrawn(claim) || this.openConflicts(claim).length > 0;
  }

  standing(claim: Claim): Standing {
    if (claim.retracted !== undefined) return "retracted";
    if (this.isWithdrawn(claim)) return "withdrawn";
    this.#verified ??= this.#derive();
    return this.#verified.has(claim) ? "verified" : "unverified";
  }

  #create(data: Asserted, by: string): Claim {
    const { claimId, kind, scope, key, value, statement } = data;
    const claim: Claim = {
      index: this.#all.length,
      id: claimId,
      kind,
      scope,
      key,
      value,
      statement,
      by,
      identity: identityOf(data),
      evidence: false,
      carriers: [],
      justifications: [],
    };
    this.#all.push(claim);
    this.#byId.set(claimId, claim);
    if (!this.#byIdentity.has(claim.identity)) this.#byIdentity.set(claim.identity, claim);
    const subject = subjectOf(claim);
    if (subject !== undefined) {
      this.#bySubject.set(subject, [...(this.#bySubject.get(subject) ?? []), claim]);
    }
    return claim;
  }

  /** The least fix-point: starts from nothing, so that mutual support grounds nothing. */
  #derive(): Set<Claim> {
    const verified = new Set<Claim>();
    let waiting = this.#all.filter((one) => one.retracted === undefined && !this.isWithdrawn(one));
    for (let before = -1; before !== verified.size; ) {
      before = verified.size;
      for (const claim of waiting) {
        const holds = claim.justifications.some(
          (refs) =>
            refs.length > 0 &&
            saysValue(claim, refs) &&
            refs.every((ref) => this.#isGround(ref, verified)),
        );
        if (holds) verified.add(claim);
      }
      waiting = waiting.filter((claim) => !verified.has(claim));
    }
    return verified;
  }

  #isGround(ref: SourceRef, verified: ReadonlySet<Claim>): boolean {
    if ("claim" in ref) {
      const claim = this.#byId.get(ref.claim);
      return claim !== undefined && verified.has(claim);
    }
    if ("uri" in ref) return this.#sources.get(ref.uri) === ref.digest;
    const span = this.#spans.find(ref.span);
    if (span === NONE || this.#spans.mark(span) === ABSENT) return false;
    if (this.#spans.createdBy(span) > 0) return false;
    if (!GROUNDING.includes(this.#spans.origin(span))) return false;
    const source = this.#spans.source(span);
    return source === undefined || this.#sources.get(source.uri) === source.digest;
  }
}
