import type { Verb } from "@palimpsest/core/events";
import { Doubles, Ints, SparseInts } from "./columns.ts";
import { IdTable } from "./id-table.ts";
import type { Spans } from "./spans.ts";
import { NONE } from "./spans.ts";

const VERBS: readonly Verb[] = ["rewrite", "evict", "undo", "redo", "rewind"];

/** One mark that an edit writes. */
export interface Write {
  readonly span: number;
  readonly before: number;
  readonly after: number;
}

export interface NewEdit {
  readonly id: string;
  readonly verb: Verb;
  readonly revision: number;
  /** Index of the span it created, or NONE. */
  readonly product: number;
  /** Number of the edit that it merges, or 0. */
  readonly mergeOf: number;
  readonly writes: readonly Write[];
}

export type Effect = "applied" | "stale" | "merged" | "undone" | "superseded";

/** Every edit by its number, 1, 2, 3 …, as they came, whatever ordinal they claim. */
export class Edits {
  readonly #ids = new IdTable();
  readonly #verbs = new Ints();
  readonly #revisions = new Doubles();
  readonly #products = new Ints();
  /** Where the writes of an edit end in the columns below; they begin where the last ones end. */
  readonly #ends = new Ints();
  readonly #spans = new Ints();
  readonly #before = new Ints();
  readonly #after = new Ints();
  readonly #editOf = new Ints();
  /** The write to the same span before this one, and the last one of each span. */
  readonly #previous = new Ints();
  readonly #lastOf = new SparseInts(NONE);
  readonly #merges = new Map<number, number[]>();

  get size(): number {
    return this.#verbs.length;
  }

  /** Enters an edit and returns its number. An id stays with the first edit that had it. */
  add(edit: NewEdit): number {
    const number = this.size + 1;
    this.#ids.add(this.#ids.find(edit.id) < 0 ? edit.id : `${edit.id} ${number}`);
    this.#verbs.push(VERBS.indexOf(edit.verb));
    this.#revisions.push(edit.revision);
    this.#products.push(edit.product);
    if (edit.mergeOf > 0) {
      this.#merges.set(edit.mergeOf, [...(this.#merges.get(edit.mergeOf) ?? []), number]);
    }
    for (const { span, before, after } of edit.writes) {
      const write = this.#spans.push(span);
      this.#before.push(before);
      this.#after.push(after);
      this.#editOf.push(number);
      this.#previous.push(this.#lastOf.at(span));
      this.#lastOf.set(span, write);
    }
    this.#ends.push(this.#spans.length);
    return number;
  }

  /** The number of an edit by id, or 0. */
  find(id: string | undefined): number {
    return id === undefined ? 0 : this.#ids.find(id) + 1;
  }

  id(number: number): string {
    return this.#ids.at(number - 1);
  }

  verb(number: number): Verb {
    return VERBS[this.#verbs.at(number - 1)] as Verb;
  }

  revision(number: number): number {
    return this.#revisions.at(number - 1);
  }

  product(number: number): number {
    return this.#products.at(number - 1);
  }

  *writes(number: number): Generator<Write> {
    const end = this.#ends.at(number - 1);
    for (let i = this.#startOf(number); i < end; i += 1) {
      yield { span: this.#spans.at(i), before: this.#before.at(i), after: this.#after.at(i) };
    }
  }

  /** How many marks an edit wrote. */
  writeCount(number: number): number {
    return this.#ends.at(number - 1) - this.#startOf(number);
  }

  /** The edits that wrote a mark of the span, the last one first. */
  *writersOf(span: number): Generator<number> {
    for (let i = this.#lastOf.at(span); i !== NONE; i = this.#previous.at(i)) {
      yield this.#editOf.at(i);
    }
  }

  /** The marks on the edit's spans are what it wrote. */
  isInPlace(number: number, spans: Spans): boolean {
    for (const { span, after } of this.writes(number)) {
      if (spans.mark(span) !== after) return false;
    }
    return true;
  }

  /** The marks on the edit's spans are what it found. */
  isReverted(number: number, spans: Spans): boolean {
    for (const { span, before } of this.writes(number)) {
      if (spans.mark(span) !== before) return false;
    }
    return true;
  }

  /** First axis of an edit's status (design §4), for rewrites, evicts and rewinds. */
  effect(number: number, spans: Spans): Effect {
    if (this.isInPlace(number, spans)) return "applied";
    if (this.verb(number) === "rewind") {
      return this.isReverted(number, spans) ? "undone" : "superseded";
    }
    if (!this.#holdsInputs(number, spans)) return "undone";
    return this.#staleFrom(number, spans) ? "stale" : "merged";
  }

  /** Its inputs are as it left them, whatever became of its product. */
  #holdsInputs(number: number, spans: Spans): boolean {
    for (const { span, after } of this.writes(number)) {
      if (span !== this.product(number) && spans.mark(span) !== after) return false;
    }
    return true;
  }

  /**
   * Whether no merge of the edit is applied or stale. A merge that went on is merged in its turn
   * if one of its own merges is, and so on: the edits below are decided from the last one back,
   * for a merge always comes after what it merges, and the chain may be as long as the stream.
   */
  #staleFrom(number: number, spans: Spans): boolean {
    const below = new Set([number]);
    for (const one of below) for (const merge of this.#merges.get(one) ?? []) below.add(merge);
    const stale = new Map<number, boolean>();
    for (const one of [...below].sort((a, b) => b - a)) {
      const merges = this.#merges.get(one) ?? [];
      const isMerged = merges.some((merge) => {
        if (this.isInPlace(merge, spans)) return true;
        return this.#holdsInputs(merge, spans) && stale.get(merge) === true;
      });
      stale.set(one, !isMerged);
    }
    return stale.get(number) === true;
  }

  #startOf(number: number): number {
    return number === 1 ? 0 : this.#ends.at(number - 2);
  }
}
