import type { Json } from "@palimpsest/core/events";
import { sha256 } from "../sha256.ts";

/*
 * RFC 8785 and the default tokenizer once more, from their definitions: what checks the
 * library must not compute with the library.
 */

/** RFC 8785: object keys in the order of their UTF-16 units, no white space, ES6 numbers. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value as { readonly [key: string]: Json })
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => `${JSON.stringify(key)}:${canonical(field)}`);
  return `{${fields.join(",")}}`;
}

/** What a digest and a token count are taken of. */
export function textOf(content: Json): string {
  return typeof content === "string" ? content : canonical(content);
}

export function digestOf(content: Json): string {
  return sha256(textOf(content));
}

/** Name of the tokenizer that `tokensOf` is. */
export const TOKENIZER = "utf8-bytes/4";

/** ⌈UTF-8 bytes / 4⌉ (design §5). */
export function tokensOf(content: Json): number {
  return Math.ceil(Buffer.byteLength(textOf(content), "utf8") / 4);
}
