import type { Json } from "@palimpsest/core";
import { contentDigest } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { List, Map as PersistentMap, Set as PersistentSet } from "immutable";
import type { Column } from "../columns/index.ts";
import { BLOCK, columnsOf, decodeItems, encodeItems } from "../columns/index.ts";
import type { PolicyList } from "../window/policies.ts";
import type { Folded } from "../window/reading.ts";
import type { Blocks } from "./snapshots.ts";

/** Names the form of a manifest and its blocks; whatever has another name does not fit. */
const FORMAT = "palimpsest-window-state/5";

/** How one field of the state is kept; collections by the digests of their blocks. */
type Field =
  | { readonly value: Json }
  | { readonly absent: true }
  | { readonly kind: BlockKind; readonly blocks: readonly string[] }
  | { readonly derived: true };

type BlockKind = "spans" | "list" | "map" | "set" | "slots";

type Fields = Readonly<Record<string, Field>>;

interface Manifest {
  readonly format: string;
  readonly window: string;
  readonly fields: Fields;
  readonly policies: PolicyList;
}

/** A state in the form of a snapshot. */
export interface EncodedState {
  readonly state: WindowState;
  readonly fields: Fields;
  readonly manifest: string;
  /** The blocks that the other encoding did not have already. */
  readonly added: Blocks;
}

/** Lists that only grow: a block that was full once is the same for ever. */
type Growing = "spans" | "edits" | "boundaries";

function isGrowing(name: string): name is Growing {
  return name === "spans" || name === "edits" || name === "boundaries";
}

/** What other fields hold already, and the memory of commands, which no projection keeps. */
const DERIVED: ReadonlySet<string> = new Set(["editOrdinal", "commands"]);

/** `other`: the encoding of another state of this window, whose full blocks are taken over. */
export function encodeState({ state, policies }: Folded, other?: EncodedState): EncodedState {
  const added = new Map<string, string>();
  const fields: Record<string, Field> = {};
  for (const [name, value] of Object.entries(state)) {
    if (DERIVED.has(name)) fields[name] = { derived: true };
    else if (value === undefined) fields[name] = { absent: true };
    else fields[name] = encodeField(name, state, fullBlocks(name, state, other), added);
  }
  const manifest: Manifest = { format: FORMAT, window: state.window, fields, policies };
  return { state, fields, manifest: JSON.stringify(manifest), added };
}

function encodeField(
  name: string,
  state: WindowState,
  known: readonly string[],
  added: Map<string, string>,
): Field {
  const kept = (kind: BlockKind, texts: Iterable<string>): Field => {
    const blocks = [...known];
    for (const text of texts) {
      const digest = contentDigest(text);
      added.set(digest, text);
      blocks.push(digest);
    }
    return { kind, blocks };
  };
  const value: unknown = Reflect.get(state, name);
  if (name === "spans") return kept("spans", columnsOf(state).save(known.length));
  if (name === "slots") return kept("slots", textsOf(numberPairs(state.slots), pairs));
  if (List.isList(value)) {
    return kept("list", textsOf(value.toArray().slice(known.length * BLOCK), encodeItems));
  }
  if (PersistentMap.isMap(value)) return kept("map", textsOf([...value.entries()], pairs));
  if (PersistentSet.isSet(value)) return kept("set", textsOf([...value], encodeItems));
  return { value: value as Json };
}

function* textsOf<Item>(
  items: readonly Item[],
  encode: (items: readonly Item[]) => unknown,
): Generator<string> {
  for (let from = 0; from < items.length; from += BLOCK) {
    yield JSON.stringify(encode(items.slice(from, from + BLOCK)));
  }
}

/** Entries of a map, or of what can be said as one. */
interface Pairs {
  readonly keys: Column;
  readonly values: Column;
}

function pairs(entries: readonly (readonly [unknown, unknown])[]): Pairs {
  return {
    keys: encodeItems(entries.map(([key]) => key)),
    values: encodeItems(entries.map(([, value]) => value)),
  };
}

/** Slots with their occupants, n + 1 for a live span n, −n − 1 for an evicted one. */
function numberPairs(slots: WindowState["slots"]): [number, number][] {
  return Array.from(slots.occupants(), ({ slot, span, live }) => [
    slot,
    live ? span + 1 : -span - 1,
  ]);
}

/** The blocks of a growing list that another encoding has and that are full in both. */
function fullBlocks(
  name: string,
  state: WindowState,
  other: EncodedState | undefined,
): readonly string[] {
  const field = other?.fields[name];
  if (other === undefined || field === undefined || !isGrowing(name)) return [];
  const size = Math.min(other.state[name].size, state[name].size);
  return "blocks" in field ? field.blocks.slice(0, Math.floor(size / BLOCK)) : [];
}

/** Thrown for a snapshot of another version, and for a damaged one; the message says how. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
}

/** Digests of all blocks that a manifest names. */
export function blocksNamedIn(manifest: string): string[] {
  return Object.values(parseManifest(manifest).fields).flatMap((field) =>
    "blocks" in field ? field.blocks : [],
  );
}

/**
 * What was encoded, without the memory of commands; its spans go to the columns of `empty`, the
 * window before its first event. Checks every block's digest.
 */
export function decodeState(manifest: string, blocks: Blocks, empty: WindowState): Folded {
  const { fields, policies } = parseManifest(manifest);
  const names = Object.keys(empty);
  if (Object.keys(fields).length !== names.length || names.some((name) => !(name in fields))) {
    throw new SnapshotError("it was written by another version of this library");
  }
  const entries = Object.entries(fields).map(([name, field]) => {
    const value = decodeField(field, blocks, empty.slots);
    return [name, value === KEEP ? Reflect.get(empty, name) : value] as const;
  });
  const state = Object.fromEntries(entries) as unknown as WindowState;
  const ofSpans = fields.spans !== undefined && "blocks" in fields.spans ? fields.spans.blocks : [];
  const saved = ofSpans.map((digest) => ({ digest, text: checkedBlock(digest, blocks) }));
  const spans = columnsOf(empty).load(saved);
  const ordinals = state.edits.toSeq().map(({ id, ordinal }) => [id, ordinal] as const);
  return { state: { ...state, spans, editOrdinal: PersistentMap(ordinals) }, policies };
}

/** Stands for a value that the empty state has or that is derived. */
const KEEP = Symbol("keep");

function decodeField(field: Field, blocks: Blocks, noSlots: WindowState["slots"]): unknown {
  if ("value" in field) return field.value;
  if ("absent" in field) return undefined;
  if ("derived" in field || field.kind === "spans") return KEEP;
  const texts = field.blocks.map((digest) => checkedBlock(digest, blocks));
  switch (field.kind) {
    case "list":
      return List<unknown>().withMutations((list) => {
        for (const text of texts) list.push(...itemsOf(text));
      });
    case "map":
      return PersistentMap<unknown, unknown>().withMutations((map) => {
        for (const text of texts) for (const [key, value] of entriesOf(text)) map.set(key, value);
      });
    case "set":
      return PersistentSet(texts.flatMap(itemsOf));
    case "slots":
      return slotsOf(texts, noSlots);
  }
}

function itemsOf(text: string): readonly unknown[] {
  return decodeItems(JSON.parse(text) as Column);
}

function entriesOf(text: string): [unknown, unknown][] {
  const { keys, values } = JSON.parse(text) as Pairs;
  const decoded = decodeItems(values);
  return decodeItems(keys).map((key, i) => [key, decoded[i]]);
}

function slotsOf(texts: readonly string[], none: WindowState["slots"]): WindowState["slots"] {
  let slots = none.asMutable();
  for (const text of texts) {
    for (const [slot, occupant] of entriesOf(text) as [number, number][]) {
      slots =
        occupant > 0 ? slots.withLive(slot, occupant - 1) : slots.withEvicted(slot, -occupant - 1);
    }
  }
  return slots.asImmutable();
}

function checkedBlock(digest: string, blocks: Blocks): string {
  const text = blocks.get(digest);
  if (text === undefined) throw new SnapshotError(`its block ${digest} is missing`);
  if (contentDigest(text) !== digest) throw new SnapshotError(`its block ${digest} was changed`);
  return text;
}

function parseManifest(text: string): Manifest {
  const manifest = JSON.parse(text) as Manifest;
  if (manifest.format !== FORMAT)
    throw new SnapshotError(`it has another format, ${manifest.format}`);
  return manifest;
}
