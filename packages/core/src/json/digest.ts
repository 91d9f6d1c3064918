import { sha256Hex } from "#platform";
import { canonicalJson } from "./canonical.ts";
import type { Json } from "./json.ts";

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
