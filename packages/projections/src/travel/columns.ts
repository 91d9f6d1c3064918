import type { Json } from "@palimpsest/core";
import { isImmutable } from "immutable";

/*
 * Many small records as JSON by columns: field names once, a value that all share once. A third of
 * the size of a JSON array of the same records, and so much less to hash and to parse.
 */

/** Records with the same fields in the same order, and where they stand among all. */
interface Shape {
  readonly fields: readonly string[];
  /** Absent: these records are all there are. */
  readonly places?: readonly number[];
  readonly count: number;
  /** By field; a single value stands for all. */
  readonly columns: readonly (readonly Json[])[];
}

type Block = { readonly values: readonly Json[] } | { readonly shapes: readonly Shape[] };

/** The items as JSON text. Throws a TypeError for what JSON would not give back. */
export function encodeItems(items: readonly unknown[]): string {
  const block: Block = items.every(isRecord)
    ? { shapes: shapesOf(items as readonly Record<string, unknown>[]) }
    : { values: items.map(plain) };
  return JSON.stringify(block);
}

export function decodeItems(text: string): unknown[] {
  const block = JSON.parse(text) as Block;
  if ("values" in block) return [...block.values];
  const items: unknown[] = [];
  for (const shape of block.shapes) fill(items, shape);
  return items;
}

function isRecord(item: unknown): boolean {
  return typeof item === "object" && item !== null && !Array.isArray(item) && !isImmutable(item);
}

function plain(value: unknown): Json {
  if (value === undefined || isImmutable(value)) {
    throw new TypeError("a state holds what a snapshot cannot keep");
  }
  return value as Json;
}

function shapesOf(items: readonly Record<string, unknown>[]): Shape[] {
  const groups = new Map<string, number[]>();
  for (const [place, item] of items.entries()) {
    const key = Object.keys(item).join("\n");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  return [...groups.values()].map((places) => {
    const records = places.map((place) => items[place] ?? {});
    const fields = Object.keys(records[0] ?? {});
    return {
      fields,
      ...(groups.size > 1 && { places }),
      count: places.length,
      columns: fields.map((field) => column(records.map((record) => plain(record[field])))),
    };
  });
}

function column(values: readonly Json[]): readonly Json[] {
  const [first] = values;
  const shared = typeof first !== "object" && values.every((value) => value === first);
  return shared && first !== undefined ? [first] : values;
}

function fill(items: unknown[], { fields, places, count, columns }: Shape): void {
  for (let i = 0; i < count; i += 1) {
    const record: Record<string, unknown> = {};
    for (let f = 0; f < fields.length; f += 1) {
      const values = columns[f] as readonly Json[];
      record[fields[f] as string] = values.length === 1 ? values[0] : values[i];
    }
    items[places?.[i] ?? i] = record;
  }
}
