import { isImmutable } from "immutable";
import type { Numbers } from "./runs.ts";
import { decodeNumbers, encodeNumbers } from "./runs.ts";

/*
 * Many values of one kind as JSON by columns: field names once, a value that all share once,
 * numbers that follow one another as a run. A small part of a JSON array of the same values, and
 * so much less to keep, to hash and to parse.
 */

export type Column =
  | { readonly values: readonly unknown[] }
  | { readonly all: string | boolean | null; readonly count: number }
  | { readonly numbers: Numbers }
  /** Arrays: how long each is, and what is in them, one after another. */
  | { readonly lengths: Numbers; readonly of: Column }
  | { readonly shapes: readonly Shape[] };

/** Records with the same fields in the same order, and where they stand among all. */
interface Shape {
  readonly fields: readonly string[];
  /** Absent: these records are all there are. */
  readonly places?: Numbers;
  readonly count: number;
  /** By field. */
  readonly columns: readonly Column[];
}

/** The items as a JSON value. Throws a TypeError for what JSON would not give back. */
export function encodeItems(items: readonly unknown[]): Column {
  if (items.some((item) => item === undefined || isImmutable(item))) {
    throw new TypeError("a state holds what a snapshot cannot keep");
  }
  const [first] = items;
  if (items.length === 0) return { values: [] };
  if (items.every(isInt)) return { numbers: encodeNumbers(items as number[]) };
  if (items.every(isRecord)) return { shapes: shapesOf(items as Record<string, unknown>[]) };
  if (items.every(Array.isArray)) {
    const lengths = encodeNumbers(items.map((item) => (item as unknown[]).length));
    return { lengths, of: encodeItems(items.flat()) };
  }
  const shared = first === null || typeof first === "string" || typeof first === "boolean";
  if (shared && items.every((item) => item === first)) return { all: first, count: items.length };
  return { values: items };
}

export function decodeItems(column: Column): readonly unknown[] {
  if ("values" in column) return column.values;
  if ("all" in column) return new Array<unknown>(column.count).fill(column.all);
  if ("numbers" in column) return decodeNumbers(column.numbers);
  if ("lengths" in column) {
    const flat = decodeItems(column.of);
    let from = 0;
    return decodeNumbers(column.lengths).map((length) => {
      from += length;
      return flat.slice(from - length, from);
    });
  }
  const items: Record<string, unknown>[] = [];
  for (const shape of column.shapes) place(items, shape);
  return items;
}

function isInt(item: unknown): boolean {
  return typeof item === "number" && (item | 0) === item;
}

/** A record whose fields can be set one by one. */
function isRecord(item: unknown): boolean {
  const fields = typeof item === "object" && item !== null && !Array.isArray(item);
  return fields && !Object.hasOwn(item, "__proto__");
}

/** JSON leaves out a field that is undefined, and so does this. */
function fieldsOf(record: Record<string, unknown>): string[] {
  return Object.keys(record).filter((field) => record[field] !== undefined);
}

function shapesOf(items: readonly Record<string, unknown>[]): Shape[] {
  const groups = new Map<string, number[]>();
  for (const [place, item] of items.entries()) {
    const key = JSON.stringify(fieldsOf(item));
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place]);
    else group.push(place);
  }
  return [...groups.values()].map((places) => {
    const records = places.map((place) => items[place] ?? {});
    const fields = fieldsOf(records[0] ?? {});
    return {
      fields,
      ...(groups.size > 1 && { places: encodeNumbers(places) }),
      count: places.length,
      columns: fields.map((field) => encodeItems(records.map((record) => record[field]))),
    };
  });
}

/**
 * Field after field. Arrays, which may hold far more than all else, are made when one of them is
 * asked for.
 */
function place(items: Record<string, unknown>[], { fields, places, count, columns }: Shape): void {
  const records = Array.from({ length: count }, (): Record<string, unknown> => ({}));
  for (const [f, field] of fields.entries()) {
    const column = columns[f] as Column;
    if ("lengths" in column) placeLater(records, field, column);
    else {
      const values = decodeItems(column);
      for (const [i, record] of records.entries()) record[field] = values[i];
    }
  }
  const at = places === undefined ? undefined : decodeNumbers(places);
  for (const [i, record] of records.entries()) items[at?.[i] ?? i] = record;
}

function placeLater(records: Record<string, unknown>[], field: string, column: Column): void {
  let values: readonly unknown[] | undefined;
  const decoded = (): readonly unknown[] => {
    values ??= decodeItems(column);
    return values;
  };
  for (const [i, record] of records.entries()) {
    Object.defineProperty(record, field, {
      get: () => decoded()[i],
      enumerable: true,
      configurable: true,
    });
  }
}
