import type { Json, LogReader } from "@palimpsest/core";
import { readContent } from "@palimpsest/core/host";
import type { WindowState } from "@palimpsest/core/state";
import { contentRef, spanAt } from "@palimpsest/core/state";
import type { Contents } from "../window/contents.ts";
import { contentsWith } from "../window/contents.ts";
import { frozen } from "../window/frozen.ts";

interface Entry {
  readonly digest: string;
  readonly content: Json;
  readonly size: number;
}

/** Content that was read from the log and re-hashed, by revision, up to a number of characters. */
export class ContentCache {
  readonly #entries = new Map<number, Entry>();
  readonly #most: number;
  #size = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** The contents of the live spans of a state. */
  async contentsOf(state: WindowState, log: LogReader): Promise<Contents> {
    const spans = [...state.slots.occupants()]
      .filter(({ live }) => live)
      .map(({ span }) => spanAt(state, span));
    const known = new Map<number, Json>();
    const wanted = [];
    for (const span of spans) {
      const ref = contentRef(state, span);
      const entry = this.#entries.get(ref.revision);
      if (entry?.digest === ref.digest) known.set(span.index, entry.content);
      else wanted.push({ ref, index: span.index });
    }
    const refs = wanted.map(({ ref }) => ref);
    const facts = await readContent(log, state.window, refs);
    for (const { ref, index } of wanted) {
      const fact = facts.get(ref.revision);
      if (fact?.intact !== true) continue;
      const content = frozen(fact.content);
      known.set(index, content);
      this.#add(ref.revision, ref.digest, content);
    }
    return contentsWith(spans, known);
  }

  /** Lets go of the content that was read longest ago. */
  #add(revision: number, digest: string, content: Json): void {
    const size = typeof content === "string" ? content.length : JSON.stringify(content).length;
    this.#remove(revision);
    this.#entries.set(revision, { digest, content, size });
    this.#size += size;
    for (const oldest of this.#entries.keys()) {
      if (this.#size <= this.#most) break;
      this.#remove(oldest);
    }
  }

  #remove(revision: number): void {
    const entry = this.#entries.get(revision);
    if (entry === undefined) return;
    this.#size -= entry.size;
    this.#entries.delete(revision);
  }
}
