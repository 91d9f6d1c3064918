import type { Json } from "@palimpsest/core/events";
import { contentText } from "../json/canonical.ts";

/** Most characters of content that are kept: a few times what a model is shown. */
const LIMIT = 16 * 1024 * 1024;

/**
 * Contents by the revision at which they lie. Nothing is kept until a rule has asked for some:
 * contents that live for a while fill the old generation of the heap, and most windows that are
 * only written to need none. From then on the newest are kept up to a limit; what a rule needs
 * beyond them is read from the store again.
 */
export class Contents {
  readonly #kept = new Map<number, { readonly content: Json; readonly size: number }>();
  #size = 0;
  #supplied: ReadonlyMap<number, Json> = new Map();
  #wereWanted = false;

  /** Characters kept. */
  get size(): number {
    return this.#size;
  }

  keep(revision: number, content: Json, size: number): void {
    if (!this.#wereWanted) return;
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
    this.#wereWanted = true;
    this.#supplied = contents;
    for (const [revision, content] of contents) {
      this.keep(revision, content, contentText(content).length);
    }
  }

  has(revision: number): boolean {
    return this.#kept.has(revision);
  }

  at(revision: number): Json | undefined {
    // The content may be null.
    const kept = this.#kept.get(revision);
    return kept === undefined ? this.#supplied.get(revision) : kept.content;
  }
}
