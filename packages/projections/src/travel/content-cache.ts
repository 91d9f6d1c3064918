import type { Json, LogReader } from "@palimpsest/core";
import { frozen, readContent } from "@palimpsest/core/host";
import { LruCache } from "@palimpsest/core/log";
import type { WindowState } from "@palimpsest/core/state";
import { contentRef, spanAt } from "@palimpsest/core/state";
import type { Contents } from "../window/contents.ts";
import { contentsWith } from "../window/contents.ts";

interface Entry {
  readonly digest: string;
  readonly content: Json;
}

/** Content that was read from the log and re-hashed, by revision, up to a number of characters. */
export class ContentCache {
  readonly #entries: LruCache<number, Entry>;

  constructor(most: number) {
    this.#entries = new LruCache({ mostWeight: most, weigh: ({ content }) => sizeOf(content) });
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
      this.#entries.set(ref.revision, { digest: ref.digest, content });
    }
    return contentsWith(spans, known);
  }
}

function sizeOf(content: Json): number {
  return typeof content === "string" ? content.length : JSON.stringify(content).length;
}
