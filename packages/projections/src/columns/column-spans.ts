import type { CallBond, GroupBond, Span, Spans } from "@palimpsest/core/state";
import { BLOCK } from "./span-block.ts";
import type { SavedSpans } from "./span-table.ts";
import { SpanTable } from "./span-table.ts";

/** The first spans of a table, which all states of a window share. A value. */
export class ColumnSpans implements Spans {
  readonly size: number;
  readonly #table: SpanTable;

  constructor(table = new SpanTable(), size = 0) {
    this.#table = table;
    this.size = size;
  }

  get(index: number): Span | undefined {
    return index >= 0 && index < this.size ? this.#table.at(index) : undefined;
  }

  indexOf(id: string): number | undefined {
    return this.#table.find(id, this.size);
  }

  call(id: string): CallBond | undefined {
    const spans = this.#table.bound("call", id, this.size);
    if (spans.length === 0) return undefined;
    const isCall = (index: number): boolean => this.#table.at(index).kind === "tool-call";
    return { calls: spans.filter(isCall), results: spans.filter((index) => !isCall(index)) };
  }

  group(id: string): GroupBond | undefined {
    const players = this.#table.bound("group", id, this.size);
    if (players.length === 0) return undefined;
    const admitted = players.filter((index) => this.#table.at(index).createdBy === undefined);
    return { members: admitted.length, players };
  }

  message(id: string): readonly number[] {
    return this.#table.bound("message", id, this.size);
  }

  /**
   * A fold that goes over a stretch again finds its spans there. Throws when another span was
   * born in this place before: then somebody changed the past.
   */
  push(span: Span): ColumnSpans {
    if (this.size === this.#table.size) this.#table.add(span);
    else if (!this.#table.has(this.size, span)) {
      throw new Error(`another span than ${span.id} was born in its place before`);
    }
    return new ColumnSpans(this.#table, this.size + 1);
  }

  asMutable(): ColumnSpans {
    return this;
  }

  asImmutable(): ColumnSpans {
    return this;
  }

  /** The spans in blocks of text, for `load`, without the first `known` blocks. */
  save(known: number): string[] {
    const blocks = Math.max(0, Math.ceil(this.size / BLOCK) - known);
    return Array.from({ length: blocks }, (_, i) =>
      this.#table.save(known + i, Math.min(BLOCK, this.size - (known + i) * BLOCK)),
    );
  }

  /** The spans of all blocks of a longer list, or a shorter one, of this window. */
  load(blocks: readonly SavedSpans[]): ColumnSpans {
    return new ColumnSpans(this.#table, this.#table.load(blocks));
  }

  *[Symbol.iterator](): Generator<Span> {
    for (let index = 0; index < this.size; index += 1) yield this.#table.at(index);
  }
}

/** The spans of a state that was folded from `ColumnSpans` on. */
export function columnsOf({ spans }: { readonly spans: Spans }): ColumnSpans {
  if (spans instanceof ColumnSpans) return spans;
  throw new TypeError("the spans of this state are not in columns");
}
