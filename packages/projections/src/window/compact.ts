import type { Bonds, CallBond, GroupBond, Span, WindowState } from "@palimpsest/core/state";
import { initialState } from "@palimpsest/core/state";
import type { Bond } from "./belongings.ts";
import { BLOCK } from "./span-block.ts";
import type { SavedSpans } from "./span-table.ts";
import { SpanTable } from "./span-table.ts";

/** The first spans of a table, as the fold uses a list of them. A value. */
class Spans implements Iterable<Span> {
  readonly size: number;
  readonly #table: SpanTable;

  constructor(table: SpanTable, size: number) {
    this.#table = table;
    this.size = size;
  }

  get(index: number): Span | undefined {
    return index >= 0 && index < this.size ? this.#table.at(index) : undefined;
  }

  /**
   * A fold that goes over a stretch again finds its spans there. Throws when another span was
   * born in this place before: then somebody changed the past.
   */
  push(span: Span): Spans {
    if (this.size === this.#table.size) this.#table.add(span);
    else if (!this.#table.has(this.size, span)) {
      throw new Error(`another span than ${span.id} was born in its place before`);
    }
    return new Spans(this.#table, this.size + 1);
  }

  asMutable(): Spans {
    return this;
  }

  asImmutable(): Spans {
    return this;
  }

  /** The spans of one block as text, for `load`. */
  save(block: number): string {
    return this.#table.save(block, Math.min(BLOCK, this.size - block * BLOCK));
  }

  /** The spans of all blocks of a longer list, or a shorter one, of this window. */
  load(blocks: readonly SavedSpans[]): Spans {
    return new Spans(this.#table, this.#table.load(blocks));
  }

  *[Symbol.iterator](): Generator<Span> {
    for (let index = 0; index < this.size; index += 1) yield this.#table.at(index);
  }
}

/** The ids of the first spans of a table, as the fold uses a map of them. A value. */
class SpanIndex {
  readonly #table: SpanTable;
  readonly #size: number;

  constructor(table: SpanTable, size: number) {
    this.#table = table;
    this.#size = size;
  }

  get(id: string): number | undefined {
    return this.#table.find(id, this.#size);
  }

  has(id: string): boolean {
    return this.get(id) !== undefined;
  }

  /** The table has it already: `Spans.push` comes first. */
  set(_id: string, index: number): SpanIndex {
    return new SpanIndex(this.#table, index + 1);
  }

  asMutable(): SpanIndex {
    return this;
  }

  asImmutable(): SpanIndex {
    return this;
  }
}

/** How a bond is read off its spans, by index in order of birth. */
interface BondKind<Value> {
  readonly bond: Bond;
  of(table: SpanTable, spans: readonly number[]): Value;
  /** The span that was born last. */
  last(value: Value): number;
}

const NONE = -1;

const CALLS: BondKind<CallBond> = {
  bond: "call",
  of: (table, spans) => ({
    calls: spans.filter((index) => table.at(index).kind === "tool-call"),
    results: spans.filter((index) => table.at(index).kind !== "tool-call"),
  }),
  last: ({ calls, results }) => Math.max(calls.at(-1) ?? NONE, results.at(-1) ?? NONE),
};

const GROUPS: BondKind<GroupBond> = {
  bond: "group",
  of: (table, players) => ({
    members: players.filter((index) => table.at(index).createdBy === undefined).length,
    players,
  }),
  last: ({ players }) => players.at(-1) ?? NONE,
};

const MESSAGES: BondKind<readonly number[]> = {
  bond: "message",
  of: (_, spans) => spans,
  last: (spans) => spans.at(-1) ?? NONE,
};

/** What the first spans of a table have in common, as the fold uses a map of it. A value. */
class SpanBonds<Value> implements Bonds<Value> {
  readonly #table: SpanTable;
  readonly #size: number;
  readonly #kind: BondKind<Value>;

  constructor(table: SpanTable, size: number, kind: BondKind<Value>) {
    this.#table = table;
    this.#size = size;
    this.#kind = kind;
  }

  get(name: string): Value | undefined;
  get(name: string, none: Value): Value;
  get(name: string, none?: Value): Value | undefined {
    const spans = this.#table.bound(this.#kind.bond, name, this.#size);
    return spans.length === 0 ? none : this.#kind.of(this.#table, spans);
  }

  has(name: string): boolean {
    return this.#table.bound(this.#kind.bond, name, this.#size).length > 0;
  }

  /** The table has it already: `Spans.push` comes first. */
  set(_name: string, value: Value): SpanBonds<Value> {
    return this.upTo(this.#kind.last(value) + 1);
  }

  upTo(size: number): SpanBonds<Value> {
    return new SpanBonds(this.#table, size, this.#kind);
  }

  asMutable(): SpanBonds<Value> {
    return this;
  }

  asImmutable(): SpanBonds<Value> {
    return this;
  }
}

/**
 * A window before its first event, whose spans will be kept in columns. Everything else is as in
 * any state; of what is in columns there is as much as the fold and the projections use.
 */
export function compactState(window: string): WindowState {
  const table = new SpanTable();
  return {
    ...initialState(window),
    spans: new Spans(table, 0),
    spanIndex: new SpanIndex(table, 0),
    calls: new SpanBonds(table, 0, CALLS),
    groups: new SpanBonds(table, 0, GROUPS),
    messages: new SpanBonds(table, 0, MESSAGES),
  };
}

/** The spans of a state in blocks of text, without the first `known` blocks. */
export function savedSpans({ spans }: WindowState, known: number): string[] {
  const list = spans as Spans;
  const blocks = Math.ceil(list.size / BLOCK);
  return Array.from({ length: Math.max(0, blocks - known) }, (_, i) => list.save(known + i));
}

/** A state that `compactState` made, with the spans of these blocks. */
export function withSpans(empty: WindowState, blocks: readonly SavedSpans[]): WindowState {
  const list = (empty.spans as Spans).load(blocks);
  const { calls, groups, messages } = empty;
  const upTo = <Value>(bonds: Bonds<Value>) => (bonds as SpanBonds<Value>).upTo(list.size);
  return {
    ...empty,
    spans: list,
    spanIndex: empty.spanIndex.set("", list.size - 1),
    calls: upTo(calls),
    groups: upTo(groups),
    messages: upTo(messages),
  };
}
