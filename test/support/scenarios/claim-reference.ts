import type { Json, RecordedWindowEvent } from "@palimpsest/core";

/*
 * Claims written down a second time, from docs/decisions/claims.md and docs/rendering.md, without a
 * thought for speed: every question is answered from the whole list of events.
 */

/** Mark of a span at the end of the events. */
export type MarkOfSpan = (spanId: string) => "live" | "consumed" | "absent";

type EventData<T extends RecordedWindowEvent["type"]> = Extract<
  RecordedWindowEvent,
  { type: T }
>["data"];
type Asserted = EventData<"ClaimAsserted">;
type Ref = Asserted["because"][number];

interface Claim {
  readonly id: string;
  readonly first: Asserted;
  readonly said: Asserted[];
  readonly by: string;
  retracted: boolean;
}

/** What the reference says of a claim. */
export interface ReferenceClaim {
  readonly claimId: string;
  readonly standing: string;
  readonly evidence: boolean;
  readonly protected: boolean;
  readonly carriers: readonly string[];
  readonly conflicts: readonly string[];
  /** It has a claim line. */
  readonly shown: boolean;
}

export function referenceClaims(
  events: readonly RecordedWindowEvent[],
  markOf: MarkOfSpan,
): ReferenceClaim[] {
  const world = new World(events, markOf);
  const verified = world.leastFixPoint();
  return world.claims.map((claim) => ({
    claimId: claim.id,
    standing: world.standing(claim, verified),
    evidence: world.isEvidence(claim),
    protected: world.isProtected(claim),
    carriers: world.carriers(claim),
    conflicts: world.conflicts(claim).map(({ id }) => id),
    shown: world.isShown(claim, verified),
  }));
}

class World {
  readonly claims: Claim[] = [];
  readonly #spans = new Map<string, EventData<"SpanAdmitted">>();
  readonly #sources = new Map<string, string | null>();
  readonly #noted: [string, string][] = [];
  readonly #markOf: MarkOfSpan;

  constructor(events: readonly RecordedWindowEvent[], markOf: MarkOfSpan) {
    this.#markOf = markOf;
    for (const event of events) this.#add(event);
  }

  #add({ type, data, metadata: { by } }: RecordedWindowEvent): void {
    if (type === "SpanAdmitted") {
      this.#spans.set(data.spanId, data);
      const looked = data.recallOf === undefined && !by.startsWith("model/");
      if (data.source !== undefined && looked) {
        this.#sources.set(data.source.uri, data.source.digest);
      }
    }
    if (type === "SourceObserved") this.#sources.set(data.uri, data.digest);
    if (type === "ConflictNoted") this.#noted.push([data.a, data.b]);
    if (type === "ClaimRetracted") this.#find(data.claimId).retracted = true;
    if (type !== "ClaimAsserted") return;
    const known = this.claims.find(({ id }) => id === data.claimId);
    if (known !== undefined) known.said.push(data);
    else this.claims.push({ id: data.claimId, first: data, said: [data], by, retracted: false });
  }

  #find(id: string): Claim {
    const claim = this.claims.find((one) => one.id === id);
    if (claim === undefined) throw new Error(`no claim ${id}`);
    return claim;
  }

  /** Adds whatever is grounded by what was added before, until nothing is. */
  leastFixPoint(): Set<Claim> {
    const verified = new Set<Claim>();
    for (let size = -1; size !== verified.size; ) {
      size = verified.size;
      for (const claim of this.claims) {
        if (claim.retracted || this.#isWithdrawn(claim)) continue;
        if (claim.said.some(({ because }) => this.#holds(claim, because, verified))) {
          verified.add(claim);
        }
      }
    }
    return verified;
  }

  #holds({ first }: Claim, because: readonly Ref[], verified: ReadonlySet<Claim>): boolean {
    const quotes = because.flatMap((ref) => ("span" in ref ? [ref.quote] : []));
    if (first.value !== undefined && quotes.length > 0) {
      if (!quotes.some((quote) => quote.includes(plain(first.value)))) return false;
    }
    return because.length > 0 && because.every((ref) => this.#isGround(ref, verified));
  }

  #isGround(ref: Ref, verified: ReadonlySet<Claim>): boolean {
    if ("claim" in ref) return verified.has(this.#find(ref.claim));
    if ("uri" in ref) return this.#sources.get(ref.uri) === ref.digest;
    const span = this.#spans.get(ref.span);
    if (span === undefined || this.#markOf(ref.span) === "absent") return false;
    if (!["user", "system", "tool"].includes(span.origin)) return false;
    return span.source === undefined || this.#sources.get(span.source.uri) === span.source.digest;
  }

  /** The originals of the spans that its assertions name, and every recall of those. */
  carriers(claim: Claim): string[] {
    const named = claim.said.flatMap(({ carrier }) => carrier ?? []);
    const originals = new Set(named.map((id) => this.#spans.get(id)?.recallOf ?? id));
    const recalls = [...this.#spans.values()].filter(
      ({ recallOf }) => recallOf !== undefined && originals.has(recallOf),
    );
    return [...originals, ...recalls.map(({ spanId }) => spanId)];
  }

  #isWithdrawn(claim: Claim): boolean {
    const carriers = this.carriers(claim);
    const gone = carriers.every((id) => this.#markOf(id) === "absent");
    return claim.first.kind === "decision" && carriers.length > 0 && gone;
  }

  standing(claim: Claim, verified: ReadonlySet<Claim>): string {
    if (claim.retracted) return "retracted";
    if (this.#isWithdrawn(claim)) return "withdrawn";
    return verified.has(claim) ? "verified" : "unverified";
  }

  conflicts(claim: Claim): Claim[] {
    if (claim.retracted) return [];
    return this.claims.filter((other) => !other.retracted && this.#opposes(claim, other));
  }

  #opposes(one: Claim, other: Claim): boolean {
    if (this.#noted.some(([a, b]) => `${a} ${b}` === `${one.id} ${other.id}`)) return true;
    if (this.#noted.some(([a, b]) => `${b} ${a}` === `${one.id} ${other.id}`)) return true;
    const [a, b] = [one.first, other.first];
    if (a.key === undefined || b.key === undefined) return false;
    const sameSubject = folded(a.key) === folded(b.key) && folded(a.scope) === folded(b.scope);
    return sameSubject && JSON.stringify(a.value) !== JSON.stringify(b.value);
  }

  isEvidence(claim: Claim): boolean {
    const cites = ({ because }: Asserted) =>
      because.some((ref) => "claim" in ref && ref.claim === claim.id);
    return (
      claim.said.some(({ evidence }) => evidence === true) ||
      this.claims.some(
        ({ first, said, retracted }) => first.kind === "decision" && !retracted && said.some(cites),
      )
    );
  }

  isProtected(claim: Claim): boolean {
    if (claim.retracted) return false;
    if (claim.first.kind === "decision" || this.isEvidence(claim)) return true;
    return this.conflicts(claim).length > 0;
  }

  isShown(claim: Claim, verified: ReadonlySet<Claim>): boolean {
    if (claim.retracted) return false;
    if (this.conflicts(claim).length > 0) return true;
    if (this.#isWithdrawn(claim)) return false;
    const carriers = this.carriers(claim);
    if (carriers.length > 0 && !this.isProtected(claim)) return false;
    const carried = carriers.some((id) => this.#markOf(id) === "live");
    return !carried || this.#fallen(verified).has(claim);
  }

  /** The unverified claims that rest on what has changed, and whatever rests on those. */
  #fallen(verified: ReadonlySet<Claim>): Set<Claim> {
    const fallen = new Set<Claim>();
    for (let size = -1; size !== fallen.size; ) {
      size = fallen.size;
      for (const claim of this.claims) {
        if (this.standing(claim, verified) !== "unverified") continue;
        const refs = claim.said.flatMap(({ because }) => because);
        if (refs.some((ref) => this.#isGone(ref, fallen))) fallen.add(claim);
      }
    }
    return fallen;
  }

  #isGone(ref: Ref, fallen: ReadonlySet<Claim>): boolean {
    if ("claim" in ref) {
      const cited = this.#find(ref.claim);
      return cited.retracted || fallen.has(cited);
    }
    const source = "uri" in ref ? ref : this.#spans.get(ref.span)?.source;
    if (source === undefined || !this.#sources.has(source.uri)) return false;
    return this.#sources.get(source.uri) !== source.digest;
  }
}

function folded(text = ""): string {
  let folded = "";
  for (const one of text.normalize("NFKD").toLowerCase()) {
    folded += one === "ı" ? one : one.toUpperCase();
  }
  return folded.toLowerCase().replace(/ς/g, "σ").normalize("NFKC").trim();
}

function plain(value: Json | undefined): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
