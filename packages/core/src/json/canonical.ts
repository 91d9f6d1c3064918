import type { Json } from "./json.ts";

/**
 * The RFC 8785 form of a JSON value: keys sorted by UTF-16 code units, everything else as
 * ECMAScript writes it (which is what the RFC prescribes). The value must be one that the guard
 * lets in: finite numbers, no lone surrogates.
 *
 * A library would do, at two and a half times the cost: every admitted byte passes through here,
 * and `JSON.stringify` of a string is native. A test holds it against the library and the RFC's
 * own vectors.
 */
export function canonicalJson(value: Json): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  const fields = value as { readonly [key: string]: Json };
  const parts: string[] = [];
  for (const key of Object.keys(fields).sort()) {
    const field = fields[key];
    if (field !== undefined) parts.push(`${JSON.stringify(key)}:${canonicalJson(field)}`);
  }
  return `{${parts.join(",")}}`;
}
