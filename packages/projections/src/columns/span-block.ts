import type { Span } from "@palimpsest/core/state";
import { hashesOf, hashOf, packed, unpack } from "./belongings.ts";
import type { Extras, SavedExtras, Unpacked } from "./extras.ts";
import { BlockExtras } from "./extras.ts";
import type { Numbers } from "./runs.ts";
import { decodeNumbers, encodeNumbers } from "./runs.ts";

/*
 * Some spans in columns: numbers in typed arrays, digests in bytes, ids as one text.
 */

/** Spans in one block. */
export const BLOCK = 1_024;
const DIGEST_BYTES = 32;

const NUMBERS = ["revision", "slot", "tokens", "messageNumber"] as const;
const ORIGINS: readonly Span["origin"][] = ["system", "user", "assistant", "tool", "host"];
const KINDS: readonly Span["kind"][] = ["text", "reasoning", "tool-call", "tool-result", "other"];

const NUMBER_NAMES: ReadonlySet<string> = new Set(NUMBERS);
const SAME_AS_REVISION: ReadonlySet<string> = new Set(["contentRevision", "position"]);
/** Fields that are kept otherwise, or as one bit. */
const KEPT: ReadonlySet<string> = new Set(["index", "id", "json", "sealed", "pinned"]);

export interface Block {
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
  readonly extras: BlockExtras;
}

/** A block, or the beginning of one, as JSON. */
interface SavedBlock {
  /** By name, as in `NUMBERS`. */
  readonly numbers: readonly Numbers[];
  readonly traits: Numbers;
  /** In hexadecimal, one after another. */
  readonly digests: string;
  readonly ends: Numbers;
  readonly ids: string;
  readonly extras: SavedExtras;
}

/** The first `count` spans of a block as text, for `loadBlock`. */
export function saveBlock(block: Block, count: number): string {
  const { numbers, traits, digests, ends, ids, text, extras } = block;
  const places = Array.from({ length: count }, (_, place) => place);
  const column = (i: number) => places.map((place) => numbers[place * NUMBERS.length + i] ?? 0);
  const bound = [...extras]
    .filter(([place]) => place < count)
    .flatMap(([place, fields]) => hashesOf(fields).map((hash) => [place, hash] as const));
  const saved = JSON.stringify({
    numbers: NUMBERS.map((_, i) => encodeNumbers(column(i))),
    traits: encodeNumbers(traits.subarray(0, count)),
    digests: places.map((place) => hexOf(digests, place * DIGEST_BYTES)).join(""),
    ends: encodeNumbers(ends.subarray(0, count)),
    ids: ids === undefined ? text.slice(0, ends[count - 1] ?? 0) : ids.slice(0, count).join(""),
    extras: extras.save(count),
  } satisfies SavedBlock);
  return `${packed(bound)}\n${saved}`;
}

/**
 * Visits the hashes of what the spans in a block that `saveBlock` gave belong to. Costs less than
 * loading it.
 */
export function visitBonds(saved: string, visit: (place: number, hash: number) => void): void {
  unpack(saved.slice(0, saved.indexOf("\n")), visit);
}

/** The block that `saveBlock` gave as text, and the number of its spans. */
export function loadBlock(
  saved: string,
  unpacked: Unpacked,
): { readonly block: Block; readonly count: number } {
  const { numbers, traits, digests, ends, ids, extras } = JSON.parse(
    saved.slice(saved.indexOf("\n") + 1),
  ) as SavedBlock;
  const block = emptyBlock(unpacked);
  block.extras.load(extras);
  for (const [i, column] of numbers.entries()) {
    for (const [place, number] of decodeNumbers(column).entries()) {
      block.numbers[place * NUMBERS.length + i] = number;
    }
  }
  const last = decodeNumbers(ends);
  block.ends.set(last);
  block.traits.set(decodeNumbers(traits));
  writeHex(block.digests, 0, digests);
  block.text = ids;
  for (let place = 0, start = 0; place < last.length; place += 1) {
    const end = last[place] ?? start;
    block.hashes[place] = hashOf(ids, start, end);
    start = end;
  }
  if (last.length === BLOCK) block.extras.complete();
  block.ids =
    last.length < BLOCK
      ? Array.from(last, (end, i) => ids.slice(last[i - 1] ?? 0, end))
      : undefined;
  return { block, count: last.length };
}

/** The span at a place of a block. */
export function spanIn(block: Block, place: number, index: number): Span {
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
    digest: digestIn(block, place),
    json: (traits & 64) !== 0,
    sealed: (traits & 128) !== 0,
    pinned: (traits & 256) !== 0,
    ...block.extras.get(place),
  } as unknown as Span;
}

/** Whether it is the span at that place, as far as a stream can tell spans apart. */
export function isSpanIn(
  block: Block,
  place: number,
  { id, revision, digest }: Pick<Span, "id" | "revision" | "digest">,
): boolean {
  return (
    revisionIn(block, place) === revision &&
    idIn(block, place) === id &&
    digestIn(block, place) === digest
  );
}

/** Puts a span into its columns. */
export function writeSpan(block: Block, place: number, span: Span): void {
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
    Reflect.set(extras, name, value);
  }
  block.hashes[place] = hashOf(span.id, 0, span.id.length);
  block.ids?.push(span.id);
  block.ends[place] = (place === 0 ? 0 : (block.ends[place - 1] ?? 0)) + span.id.length;
  if (place === BLOCK - 1 && block.ids !== undefined) {
    block.text = block.ids.join("");
    block.ids = undefined;
  }
  if (extras !== undefined) block.extras.set(place, extras);
  if (place === BLOCK - 1) block.extras.complete();
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

export function emptyBlock(unpacked: Unpacked): Block {
  return {
    numbers: new Int32Array(BLOCK * NUMBERS.length),
    traits: new Uint16Array(BLOCK),
    digests: new Uint8Array(BLOCK * DIGEST_BYTES),
    text: "",
    ends: new Uint32Array(BLOCK),
    ids: [],
    hashes: new Uint32Array(BLOCK),
    extras: new BlockExtras(unpacked),
  };
}

export function idIn(block: Block, place: number): string {
  if (block.ids !== undefined) return block.ids[place] ?? "";
  return block.text.slice(place === 0 ? 0 : block.ends[place - 1], block.ends[place]);
}

const HEX = Uint8Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const DIGITS = new Array<number>(2 * DIGEST_BYTES).fill(0);

/** In one piece: a text that is put together from parts holds on to all of them. */
function hexOf(bytes: Uint8Array, from: number): string {
  for (let i = 0; i < DIGEST_BYTES; i += 1) {
    const byte = bytes[from + i] ?? 0;
    DIGITS[2 * i] = HEX[byte >> 4] ?? 0;
    DIGITS[2 * i + 1] = HEX[byte & 15] ?? 0;
  }
  return String.fromCharCode(...DIGITS);
}

function revisionIn({ numbers, extras }: Block, place: number): unknown {
  return extras.get(place)?.revision ?? numbers[place * NUMBERS.length];
}

function digestIn({ digests, extras }: Block, place: number): unknown {
  return extras.get(place)?.digest ?? hexOf(digests, place * DIGEST_BYTES);
}
