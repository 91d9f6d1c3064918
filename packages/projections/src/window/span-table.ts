import type { Span } from "@palimpsest/core";

/*
 * Spans of one window in columns. A span that went out of view is kept for ever, since it may come
 * back, but hardly ever looked at; as an object with its entry in a map of ids it takes some 450
 * bytes, in columns about 100. A table only grows, so every state of the window shares one.
 */

/** Spans in one block. */
export const BLOCK = 1_024;
const DIGEST_BYTES = 32;
/** Spans that were made from their columns lately, one for each place of the cache. */
const CACHED = 4_096;

const NUMBERS = ["revision", "slot", "tokens", "messageNumber"] as const;
const ORIGINS: readonly Span["origin"][] = ["system", "user", "assistant", "tool", "host"];
const KINDS: readonly Span["kind"][] = ["text", "reasoning", "tool-call", "tool-result", "other"];

const NUMBER_NAMES: ReadonlySet<string> = new Set(NUMBERS);
const SAME_AS_REVISION: ReadonlySet<string> = new Set(["contentRevision", "position"]);
/** Fields that are kept otherwise, or as one bit. */
const KEPT: ReadonlySet<string> = new Set(["index", "id", "json", "sealed", "pinned"]);

interface Block {
  /** `NUMBERS` of every span, one after another. */
  readonly numbers: Int32Array;
  /** Origin, kind, and whether it is JSON, sealed, pinned. */
  readonly traits: Uint16Array;
  readonly digests: Uint8Array;
  /** Ids, one after another, and where each ends; an open block has them as strings as well. */
  text: string;
  readonly ends: Uint32Array;
  ids: string[] | undefined;
  /** Hashes of the ids. */
  readonly hashes: Uint32Array;
}

/** A block, or the beginning of one, as JSON. */
interface SavedBlock {
  readonly numbers: readonly number[];
  readonly traits: readonly number[];
  /** In hexadecimal, one after another. */
  readonly digests: string;
  readonly ends: readonly number[];
  readonly ids: string;
  readonly extras: readonly (readonly [place: number, extras: Extras])[];
}

/** What a span has beside its columns, or other than they say. */
type Extras = Partial<Record<string, unknown>>;

export class SpanTable {
  readonly #blocks: Block[] = [];
  readonly #extras = new Map<number, Extras>();
  readonly #cache: (Span | undefined)[] = [];
  /** Index + 1 of a span, at a place that the hash of its id leads to; 0: nobody. */
  #places = new Int32Array(2 * BLOCK);
  #size = 0;

  /** Number of spans of the longest state. */
  get size(): number {
    return this.#size;
  }

  at(index: number): Span {
    const cached = this.#cache[index % CACHED];
    if (cached?.index === index) return cached;
    const span = { ...this.#columnsOf(index), ...this.#extras.get(index) } as unknown as Span;
    this.#cache[index % CACHED] = span;
    return span;
  }

  add(span: Span): void {
    const index = this.#size;
    const place = index % BLOCK;
    if (place === 0) this.#blocks.push(emptyBlock());
    this.#size += 1;
    const extras = write(this.#blocks.at(-1) as Block, place, span);
    if (extras !== undefined) this.#extras.set(index, extras);
    this.#cache[index % CACHED] = span;
    this.#makeRoom();
    this.#enter(index, hashOf(span.id, 0, span.id.length));
  }

  /** The first `count` spans of a block as text, for `load`. */
  save(block: number, count: number): string {
    const { numbers, traits, digests, ends, ids, text } = this.#blocks[block] as Block;
    const first = block * BLOCK;
    const places = Array.from({ length: count }, (_, place) => place);
    const last = ends[count - 1] ?? 0;
    return JSON.stringify({
      numbers: [...numbers.subarray(0, count * NUMBERS.length)],
      traits: [...traits.subarray(0, count)],
      digests: places.map((place) => hexOf(digests, place * DIGEST_BYTES)).join(""),
      ends: [...ends.subarray(0, count)],
      ids: ids === undefined ? text.slice(0, last) : ids.slice(0, count).join(""),
      extras: places.flatMap((place) => {
        const extras = this.#extras.get(first + place);
        return extras === undefined ? [] : [[place, extras]];
      }),
    } satisfies SavedBlock);
  }

  /** Adds the spans of a block that `save` gave. The table must end where the block begins. */
  load(text: string): void {
    const saved = JSON.parse(text) as SavedBlock;
    const count = saved.ends.length;
    const first = this.#size;
    if (first % BLOCK !== 0 || count > BLOCK) throw new RangeError("the block does not fit here");
    const block = emptyBlock();
    block.numbers.set(saved.numbers);
    block.traits.set(saved.traits);
    block.ends.set(saved.ends);
    writeHex(block.digests, 0, saved.digests);
    block.text = saved.ids;
    block.ids = undefined;
    for (let place = 0, start = 0; place < count; place += 1) {
      const end = saved.ends[place] ?? start;
      block.hashes[place] = hashOf(saved.ids, start, end);
      start = end;
    }
    if (count < BLOCK) block.ids = Array.from({ length: count }, (_, place) => idIn(block, place));
    this.#blocks.push(block);
    for (const [place, extras] of saved.extras) this.#extras.set(first + place, extras);
    this.#size += count;
    this.#makeRoom();
    for (let place = 0; place < count; place += 1) {
      this.#enter(first + place, block.hashes[place] ?? 0);
    }
  }

  /** Whether a span is the one at `index`, as far as a stream can tell spans apart. */
  has(index: number, { id, revision, digest }: Span): boolean {
    const block = this.#blocks[Math.floor(index / BLOCK)] as Block;
    const place = index % BLOCK;
    return (
      block.numbers[place * NUMBERS.length] === revision &&
      idIn(block, place) === id &&
      hexOf(block.digests, place * DIGEST_BYTES) === digest
    );
  }

  /** The last of the first `size` spans that has this id. */
  find(id: string, size: number): number | undefined {
    const mask = this.#places.length - 1;
    const hash = hashOf(id, 0, id.length);
    let found: number | undefined;
    for (let place = hash & mask; ; place = (place + 1) & mask) {
      const index = (this.#places[place] ?? 0) - 1;
      if (index < 0) return found;
      if (index < size && index > (found ?? -1) && this.#hasId(index, id, hash)) found = index;
    }
  }

  #columnsOf(index: number): Omit<Span, keyof Extras> {
    const block = this.#blocks[Math.floor(index / BLOCK)] as Block;
    const place = index % BLOCK;
    const [revision, slot, tokens, messageNumber] = block.numbers.subarray(
      place * NUMBERS.length,
      (place + 1) * NUMBERS.length,
    );
    const traits = block.traits[place] ?? 0;
    return {
      index,
      id: idIn(block, place),
      revision,
      contentRevision: revision,
      slot,
      position: revision,
      messageNumber,
      origin: ORIGINS[traits & 7],
      kind: KINDS[(traits >> 3) & 7],
      tokens,
      digest: hexOf(block.digests, place * DIGEST_BYTES),
      json: (traits & 64) !== 0,
      sealed: (traits & 128) !== 0,
      pinned: (traits & 256) !== 0,
    } as unknown as Omit<Span, keyof Extras>;
  }

  #hasId(index: number, id: string, hash: number): boolean {
    const block = this.#blocks[Math.floor(index / BLOCK)] as Block;
    const place = index % BLOCK;
    return block.hashes[place] === hash && idIn(block, place) === id;
  }

  #enter(index: number, hash: number): void {
    const mask = this.#places.length - 1;
    let place = hash & mask;
    while (this.#places[place] !== 0) place = (place + 1) & mask;
    this.#places[place] = index + 1;
  }

  /** Keeps half of the places free, or else a search would take long. */
  #makeRoom(): void {
    if (this.#size * 2 <= this.#places.length) return;
    const entered = this.#places.filter((place) => place > 0);
    this.#places = new Int32Array(this.#places.length * 4);
    for (const place of entered) {
      const block = this.#blocks[Math.floor((place - 1) / BLOCK)] as Block;
      this.#enter(place - 1, block.hashes[(place - 1) % BLOCK] ?? 0);
    }
  }
}

/** Puts a span into its columns; gives what does not fit into them, if anything. */
function write(block: Block, place: number, span: Span): Extras | undefined {
  let extras: Extras | undefined;
  const origin = ORIGINS.indexOf(span.origin);
  const kind = KINDS.indexOf(span.kind);
  block.traits[place] =
    Math.max(0, origin) |
    (Math.max(0, kind) << 3) |
    (Number(span.json) << 6) |
    (Number(span.sealed) << 7) |
    (Number(span.pinned) << 8);
  const numbers = place * NUMBERS.length;
  for (let i = 0; i < NUMBERS.length; i += 1) {
    block.numbers[numbers + i] = span[NUMBERS[i] as (typeof NUMBERS)[number]];
  }
  const fitting =
    span.digest.length === 2 * DIGEST_BYTES &&
    writeHex(block.digests, place * DIGEST_BYTES, span.digest);
  for (const name in span) {
    const value: unknown = Reflect.get(span, name);
    const fits =
      KEPT.has(name) ||
      (NUMBER_NAMES.has(name) && (Number(value) | 0) === value) ||
      (SAME_AS_REVISION.has(name) && value === span.revision) ||
      (name === "origin" && origin >= 0) ||
      (name === "kind" && kind >= 0) ||
      (name === "digest" && fitting);
    if (fits) continue;
    extras ??= {};
    extras[name] = value;
  }
  block.hashes[place] = hashOf(span.id, 0, span.id.length);
  block.ids?.push(span.id);
  block.ends[place] = (place === 0 ? 0 : (block.ends[place - 1] ?? 0)) + span.id.length;
  if (place === BLOCK - 1 && block.ids !== undefined) {
    block.text = block.ids.join("");
    block.ids = undefined;
  }
  return extras;
}

/** Whether it could: only lower-case hexadecimal digits fit. */
function writeHex(bytes: Uint8Array, from: number, hex: string): boolean {
  for (let i = 0; i < hex.length; i += 2) {
    const high = nibble(hex.charCodeAt(i));
    const low = nibble(hex.charCodeAt(i + 1));
    if (high < 0 || low < 0) return false;
    bytes[from + i / 2] = (high << 4) | low;
  }
  return true;
}

function nibble(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  return code >= 97 && code <= 102 ? code - 87 : -1;
}

function emptyBlock(): Block {
  return {
    numbers: new Int32Array(BLOCK * NUMBERS.length),
    traits: new Uint16Array(BLOCK),
    digests: new Uint8Array(BLOCK * DIGEST_BYTES),
    text: "",
    ends: new Uint32Array(BLOCK),
    ids: [],
    hashes: new Uint32Array(BLOCK),
  };
}

function idIn(block: Block, place: number): string {
  if (block.ids !== undefined) return block.ids[place] ?? "";
  return block.text.slice(place === 0 ? 0 : block.ends[place - 1], block.ends[place]);
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

function hexOf(bytes: Uint8Array, from: number): string {
  let hex = "";
  for (let i = from; i < from + DIGEST_BYTES; i += 1) hex += HEX[bytes[i] ?? 0];
  return hex;
}

/** FNV-1a (Fowler, Noll, Vo) of a part of a text, 32 bits. */
function hashOf(text: string, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let i = from; i < to; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}
