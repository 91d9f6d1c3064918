import type { Origin, SpanKind } from "@palimpsest/core/events";
import { Digests, Doubles, Ints, SparseInts } from "./columns.ts";
import { IdTable } from "./id-table.ts";

/** A mark: live, absent, or the number of the edit that consumed the span. */
export const LIVE = 0;
export const ABSENT = -1;
export const NONE = -1;

const ORIGINS: readonly Origin[] = ["system", "user", "assistant", "tool", "host"];
const KINDS: readonly SpanKind[] = ["text", "reasoning", "tool-call", "tool-result", "other"];
const JSON_CONTENT = 64;
const SEALED = 128;
const PINNED = 256;

export interface Tool {
  readonly name: string;
  readonly status?: string | undefined;
}

export interface Source {
  readonly uri: string;
  readonly digest: string;
}

/** What is known of a span at its birth. */
export interface SpanBirth {
  readonly id: string;
  readonly revision: number;
  readonly slot: number;
  readonly origin: Origin;
  readonly kind: SpanKind;
  readonly tokens: number;
  readonly digest: string;
  readonly json: boolean;
  readonly sealed?: boolean | undefined;
  readonly pinned?: boolean | undefined;
  readonly call?: string | undefined;
  readonly group?: string | undefined;
  readonly message?: string | undefined;
  readonly tool?: Tool | undefined;
  readonly source?: Source | undefined;
  /** Number of the rewrite that created it; 0 for an admitted span. */
  readonly createdBy: number;
  /** Index of the span whose content it repeats. */
  readonly recallOf?: number | undefined;
}

/** Every span that was ever born, by index in order of birth. */
export class Spans {
  readonly ids = new IdTable();
  readonly marks = new Ints();
  readonly #revisions = new Ints();
  readonly #slots = new Ints();
  readonly #tokens = new Doubles();
  readonly #digests = new Digests();
  readonly #traits = new Ints();
  readonly #createdBy = new SparseInts(0);
  readonly #recallOf = new SparseInts(NONE);
  /** The spans that play a part in the same call, group or message, as chains. */
  readonly calls = new SpansByName();
  readonly groups = new SpansByName();
  readonly messages = new SpansByName();
  readonly #tools = new Map<number, Tool>();
  readonly #sources = new Map<number, Source>();

  get size(): number {
    return this.ids.size;
  }

  add(span: SpanBirth): number {
    const index = this.ids.add(span.id);
    this.marks.push(ABSENT);
    this.#revisions.push(span.revision);
    this.#slots.push(span.slot);
    this.#tokens.push(span.tokens);
    this.#digests.push(span.digest);
    this.#traits.push(
      ORIGINS.indexOf(span.origin) +
        KINDS.indexOf(span.kind) * 8 +
        (span.json ? JSON_CONTENT : 0) +
        (span.sealed === true ? SEALED : 0) +
        (span.pinned === true ? PINNED : 0),
    );
    this.#createdBy.set(index, span.createdBy);
    this.#recallOf.set(index, span.recallOf ?? NONE);
    this.calls.add(index, span.call);
    this.groups.add(index, span.group);
    this.messages.add(index, span.message);
    if (span.tool !== undefined) this.#tools.set(index, span.tool);
    if (span.source !== undefined) this.#sources.set(index, span.source);
    return index;
  }

  find(id: string): number {
    return this.ids.find(id);
  }

  id(index: number): string {
    return this.ids.at(index);
  }

  mark(index: number): number {
    return this.marks.at(index);
  }

  isLive(index: number): boolean {
    return this.marks.at(index) === LIVE;
  }

  revision(index: number): number {
    return this.#revisions.at(index);
  }

  slot(index: number): number {
    return this.#slots.at(index);
  }

  tokens(index: number): number {
    return this.#tokens.at(index);
  }

  digest(index: number): string {
    return this.#digests.at(index);
  }

  hasDigest(index: number, hex: string): boolean {
    return this.#digests.equals(index, hex);
  }

  origin(index: number): Origin {
    return ORIGINS[this.#traits.at(index) & 7] as Origin;
  }

  kind(index: number): SpanKind {
    return KINDS[(this.#traits.at(index) >> 3) & 7] as SpanKind;
  }

  isJson(index: number): boolean {
    return (this.#traits.at(index) & JSON_CONTENT) !== 0;
  }

  isSealed(index: number): boolean {
    return (this.#traits.at(index) & SEALED) !== 0;
  }

  isPinned(index: number): boolean {
    return (this.#traits.at(index) & PINNED) !== 0;
  }

  createdBy(index: number): number {
    return this.#createdBy.at(index);
  }

  /** The span whose content it repeats, or NONE. */
  recallOf(index: number): number {
    return this.#recallOf.at(index);
  }

  /** The revision at which its content lies. */
  contentRevision(index: number): number {
    const first = this.recallOf(index);
    return this.#revisions.at(first === NONE ? index : first);
  }

  tool(index: number): Tool | undefined {
    return this.#tools.get(index);
  }

  source(index: number): Source | undefined {
    return this.#sources.get(index);
  }

  /** Index of the first span born after a revision. */
  firstBornAfter(revision: number): number {
    let [low, high] = [0, this.size];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#revisions.at(middle) <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Spans that share a call, a group or a message: by name, and from each to the one before it. */
export class SpansByName {
  readonly #names = new IdTable();
  readonly #last = new Ints();
  readonly #nameOf = new SparseInts(NONE);
  readonly #before = new SparseInts(NONE);

  add(span: number, name: string | undefined): void {
    if (name === undefined) return;
    const known = this.#names.find(name);
    const index = known < 0 ? this.#names.add(name) : known;
    if (known < 0) this.#last.push(NONE);
    this.#nameOf.set(span, index);
    this.#before.set(span, this.#last.at(index));
    this.#last.set(index, span);
  }

  nameOf(span: number): string | undefined {
    const index = this.#nameOf.at(span);
    return index === NONE ? undefined : this.#names.at(index);
  }

  /** The spans of a name, the last born first. */
  *named(name: string | undefined): Generator<number> {
    const index = name === undefined ? NONE : this.#names.find(name);
    if (index === NONE) return;
    for (let span = this.#last.at(index); span !== NONE; span = this.#before.at(span)) yield span;
  }
}
