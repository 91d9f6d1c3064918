import { LruCache } from "@palimpsest/core/log";
import type { Span } from "@palimpsest/core/state";
import type { Column } from "./columns.ts";
import { decodeItems, encodeItems } from "./columns.ts";
import type { Numbers } from "./runs.ts";
import { decodeNumbers, encodeNumbers } from "./runs.ts";

/** What a span has beside its columns, or other than they say: mostly what it is part of. */
export type Extras = Partial<Span>;

/** Extras as JSON: the places of the spans that have some, and these. */
export interface SavedExtras {
  readonly places: Numbers;
  readonly fields: Column;
}

/** Blocks whose extras stay objects: the spans of so many are looked at again and again. */
const MOST_UNPACKED = 32;

/** The full blocks of a table whose extras are objects, few of them: those unpacked last. */
export type Unpacked = LruCache<BlockExtras, BlockExtras>;

export function unpackedBlocks(): Unpacked {
  return new LruCache({ mostEntries: MOST_UNPACKED, left: (extras) => extras.pack() });
}

/** The extras of one block, by place. As text they take a fifth of the memory. */
export class BlockExtras {
  readonly #unpacked: Unpacked;
  #fields: Map<number, Extras> | undefined = new Map();
  #text: string | undefined;

  constructor(unpacked: Unpacked) {
    this.#unpacked = unpacked;
  }

  get(place: number): Extras | undefined {
    return this.#all().get(place);
  }

  set(place: number, extras: Extras): void {
    this.#all().set(place, extras);
  }

  /** Nothing is set any more. */
  complete(): void {
    this.#unpacked.set(this, this);
  }

  pack(): void {
    this.#text ??= JSON.stringify(this.save(Number.POSITIVE_INFINITY));
    this.#fields = undefined;
  }

  /** Those of the first `count` places. */
  save(count: number): SavedExtras {
    const entries = [...this.#all()].filter(([place]) => place < count);
    return {
      places: encodeNumbers(entries.map(([place]) => place)),
      fields: encodeItems(entries.map(([, extras]) => extras)),
    };
  }

  load({ places, fields }: SavedExtras): void {
    const all = decodeItems(fields) as readonly Extras[];
    const entries = decodeNumbers(places).map((place, i) => [place, all[i] ?? {}] as const);
    this.#fields = new Map(entries);
  }

  [Symbol.iterator](): Iterator<[place: number, extras: Extras]> {
    return this.#all().entries();
  }

  #all(): Map<number, Extras> {
    if (this.#fields === undefined) {
      this.load(JSON.parse(this.#text ?? "null") as SavedExtras);
      this.#unpacked.set(this, this);
    }
    return this.#fields ?? new Map();
  }
}
