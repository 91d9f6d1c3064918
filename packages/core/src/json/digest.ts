import canonicalize from "canonicalize";
import { sha256Hex } from "#platform";
import type { Json } from "./json.ts";

/** The RFC 8785 form of a JSON value. */
export function canonicalJson(value: Json): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("the value has no JSON form");
  return text;
}

/** What a digest and a token count are taken of: a string as it is, other JSON in RFC 8785 form. */
export function contentText(content: Json): string {
  return typeof content === "string" ? content : canonicalJson(content);
}

/** SHA-256 of stored content: of the UTF-8 of a string, of the RFC 8785 form of other JSON. */
export function contentDigest(content: Json): string {
  return sha256Hex(contentText(content));
}

/** SHA-256 of a command in RFC 8785 form. */
export function commandDigest(command: Json): string {
  return sha256Hex(canonicalJson(command));
}
