import { List } from "immutable";

/*
 * Who stands at each place of the window. A slot is the place one admitted span was born to; the
 * span itself, or the rewrite that took it as its first, occupies it. The table is persistent:
 * a change copies one chunk of 64 slots and shares the rest, so it costs the same at any size.
 */

const CHUNK = 64;

interface Chunk {
  /** 0: nobody. n > 0: span n − 1 is live here. n < 0: span −n − 1 was evicted from here. */
  readonly entries: Int32Array;
  live: number;
  filled: number;
  /** The mutable table that made this copy, and alone may change it in place. */
  readonly owner: object | undefined;
}

const EMPTY_CHUNK: Chunk = {
  entries: new Int32Array(CHUNK),
  live: 0,
  filled: 0,
  owner: undefined,
};

/** Who occupies a slot. */
export interface Occupant {
  readonly slot: number;
  /** Index of the span. */
  readonly span: number;
  readonly live: boolean;
}

/** Slot → occupant; slots are numbered from 0 in order of position. */
export class SlotTable {
  static readonly empty = new SlotTable(List());
  readonly #chunks: List<Chunk>;
  /** Present while the table is mutable; a new object each time, so no chunk is owned twice. */
  readonly #owner: object | undefined;

  private constructor(chunks: List<Chunk>, owner?: object) {
    this.#chunks = chunks;
    this.#owner = owner;
  }

  /** A copy that changes in place until `asImmutable`, for folding many events at once. */
  asMutable(): SlotTable {
    return new SlotTable(this.#chunks.asMutable(), {});
  }

  asImmutable(): SlotTable {
    return new SlotTable(this.#chunks.asImmutable());
  }

  /** `span` stands live at `slot`. */
  withLive(slot: number, span: number): SlotTable {
    return this.#set(slot, span + 1);
  }

  /** `span` was evicted from `slot`, and nothing stands there instead. */
  withEvicted(slot: number, span: number): SlotTable {
    return this.#set(slot, -(span + 1));
  }

  /** `span` no longer occupies `slot`; another occupant stays. */
  without(slot: number, span: number): SlotTable {
    const entry = this.#chunks.get(Math.floor(slot / CHUNK), EMPTY_CHUNK).entries[slot % CHUNK];
    return entry === span + 1 || entry === -(span + 1) ? this.#set(slot, 0) : this;
  }

  /** Number of live spans in slots `from` to `to`, both included. */
  countLive(from: number, to: number): number {
    let count = 0;
    for (let chunk = Math.floor(from / CHUNK); chunk * CHUNK <= to; chunk += 1) {
      const { entries, live } = this.#chunks.get(chunk, EMPTY_CHUNK);
      const base = chunk * CHUNK;
      if (from <= base && base + CHUNK - 1 <= to) {
        count += live;
        continue;
      }
      for (let slot = Math.max(from, base); slot <= Math.min(to, base + CHUNK - 1); slot += 1) {
        if ((entries[slot - base] ?? 0) > 0) count += 1;
      }
    }
    return count;
  }

  /** Live and evicted occupants in order of position; empty stretches cost one step a chunk. */
  *occupants(): Generator<Occupant> {
    let base = 0;
    for (const { entries, filled } of this.#chunks) {
      for (let i = 0, left = filled; left > 0 && i < CHUNK; i += 1) {
        const entry = entries[i] ?? 0;
        if (entry === 0) continue;
        left -= 1;
        yield { slot: base + i, span: Math.abs(entry) - 1, live: entry > 0 };
      }
      base += CHUNK;
    }
  }

  #set(slot: number, entry: number): SlotTable {
    const at = Math.floor(slot / CHUNK);
    const chunk = this.#chunks.get(at, EMPTY_CHUNK);
    const before = chunk.entries[slot % CHUNK] ?? 0;
    if (before === entry) return this;
    const own = chunk.owner !== undefined && chunk.owner === this.#owner;
    const mine = own ? chunk : { ...chunk, entries: chunk.entries.slice(), owner: this.#owner };
    mine.entries[slot % CHUNK] = entry;
    mine.live += Number(entry > 0) - Number(before > 0);
    mine.filled += Number(entry !== 0) - Number(before !== 0);
    if (own) return this;
    const chunks = this.#chunks.set(at, mine);
    return chunks === this.#chunks ? this : new SlotTable(chunks);
  }
}
