import type { Json } from "@palimpsest/core/events";

/** Most characters of content that are kept at hand. */
const LIMIT = 16 * 1024 * 1024;

/**
 * Contents by the revision at which they lie. The newest are kept up to a limit; what a rule needs
 * beyond them is read from the store again and kept for as long as the rule asks.
 */
export class Contents {
  readonly #kept = new Map<number, { readonly content: Json; readonly size: number }>();
  #size = 0;
  #supplied: ReadonlyMap<number, Json> = new Map();

  keep(revision: number, content: Json, size: number): void {
    this.#kept.set(revision, { content, size });
    this.#size += size;
    for (const [oldest, { size: freed }] of this.#kept) {
      if (this.#size <= LIMIT) break;
      this.#kept.delete(oldest);
      this.#size -= freed;
    }
  }

  /** What was read from the store for the event that comes next. */
  supply(contents: ReadonlyMap<number, Json>): void {
    this.#supplied = contents;
  }

  has(revision: number): boolean {
    return this.#kept.has(revision);
  }

  at(revision: number): Json | undefined {
    return this.#kept.get(revision)?.content ?? this.#supplied.get(revision);
  }
}
