import type { Json } from "./json.ts";

/**
 * The RFC 8785 form of a JSON value: keys sorted by UTF-16 code units, everything else as
 * ECMAScript writes it (which is what the RFC prescribes). The value must be one that the guard
 * lets in: finite numbers, no lone surrogates.
 *
 * A library would do, at more than twice the cost: every admitted byte passes through here, and
 * one `JSON.stringify` of a copy with sorted keys is native for nearly all of it. Only keys that
 * an object does not keep in the order they were given (array indices, `__proto__`) are written
 * one by one. A test holds it against the library and the RFC's own vectors.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const copy = sorted(value);
  return copy === undefined ? spelled(value) : JSON.stringify(copy);
}

/** A copy whose keys stand in order; undefined when some object cannot keep them so. */
function sorted(value: Json): Json | undefined {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const copy = sorted(item);
      if (copy === undefined) return undefined;
      items.push(copy);
    }
    return items;
  }
  const fields: Record<string, Json> = {};
  for (const key of Object.keys(value).sort()) {
    if (UNORDERED.test(key)) return undefined;
    const field = (value as { readonly [key: string]: Json })[key];
    if (field === undefined) continue;
    const copy = sorted(field);
    if (copy === undefined) return undefined;
    fields[key] = copy;
  }
  return fields;
}

/**
 * Keys that JavaScript lists before all others, and the one that does not become a field when
 * assigned.
 */
const UNORDERED = /^(?:0|[1-9]\d*|__proto__)$/;

/** The same form, key by key. */
function spelled(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(spelled).join(",")}]`;
  const fields = value as { readonly [key: string]: Json };
  const parts: string[] = [];
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) parts.push(`${JSON.stringify(key)}:${spelled(field)}`);
  }
  return `{${parts.join(",")}}`;
}
