import type { Origin } from "@palimpsest/core";

/** What an import needs to know of a span that is in the model's view. */
export interface LiveSpan {
  readonly spanId: string;
  readonly origin: Origin;
  readonly at: number;
  /** Id of its message in the window. */
  readonly message?: string;
  readonly uuid?: string;
  readonly call?: string;
  readonly isResult?: boolean;
  readonly group?: string;
  readonly sealed?: boolean;
  /** Digest of the content, on results: nothing replaces one by itself. */
  readonly digest?: string;
  /** Equal for messages that read alike; see the Codex reader. */
  readonly likeness?: string;
}

/** The spans in the model's view, in the order of their positions. */
export class LiveView {
  #spans: LiveSpan[] = [];

  get spans(): readonly LiveSpan[] {
    return this.#spans;
  }

  add(span: LiveSpan): void {
    this.#spans.push(span);
  }

  /** Puts the product of a rewrite where the first of its spans was. */
  replace(consumed: readonly LiveSpan[], product: LiveSpan): void {
    const first = consumed[0];
    const gone = new Set(consumed);
    this.#spans = this.#spans.flatMap((span) => {
      if (span === first) return [product];
      return gone.has(span) ? [] : [span];
    });
  }

  remove(consumed: readonly LiveSpan[]): void {
    const gone = new Set(consumed);
    this.#spans = this.#spans.filter((span) => !gone.has(span));
  }

  /**
   * The largest part of what is wanted that an edit may take: no pinned span, and no span whose
   * call, result or group stays behind. One span that stays can hold back others, so it repeats
   * until nothing changes.
   */
  takeable(wanted: (span: LiveSpan) => boolean): LiveSpan[] {
    let taken = this.#spans.filter((span) => span.origin !== "system" && wanted(span));
    for (;;) {
      const inside = new Set(taken);
      const held = new Set<string>();
      for (const span of this.#spans) {
        if (!inside.has(span)) for (const bond of bondsOf(span)) held.add(bond);
      }
      const next = taken.filter((span) => !bondsOf(span).some((bond) => held.has(bond)));
      if (next.length === taken.length) return taken;
      taken = next;
    }
  }

  /** True when no live span stands between the first and the last of these. */
  areContiguous(spans: readonly LiveSpan[]): boolean {
    const wanted = new Set(spans);
    const first = this.#spans.findIndex((span) => wanted.has(span));
    return this.#spans.slice(first, first + wanted.size).every((span) => wanted.has(span));
  }
}

function bondsOf(span: LiveSpan): string[] {
  const bonds: string[] = [];
  if (span.call !== undefined) bonds.push(`call ${span.call}`);
  if (span.group !== undefined) bonds.push(`group ${span.group}`);
  return bonds;
}
