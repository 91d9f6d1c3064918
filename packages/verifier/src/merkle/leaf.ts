import type { Json, JsonObject, StoredEvent } from "@palimpsest/core/events";
import { sha256Hex, sha256Text } from "#platform";
import { canonicalJson, contentText } from "../json/canonical.ts";
import { leafHash } from "./hashing.ts";

/** The leaf of an event, and the content that the event brings. */
export interface EventLeaf {
  /** Hash of the leaf, 32 bytes. */
  readonly hash: Uint8Array;
  /** The text of the content; undefined when the event brings none. */
  readonly contentText: string | undefined;
  /** SHA-256 of that text, 64 lowercase hex digits. */
  readonly contentDigest: string | undefined;
}

/**
 * The leaf of a stored event (design §9): the RFC 8785 form of `{id, type, schemaVersion, data,
 * metadata}` in which the `content` of `data` and of `data.creates` is replaced by its digest. The
 * leaf of an event that is not JSON is its stored bytes. Throws for what has no canonical form.
 */
export function eventLeaf(event: StoredEvent): EventLeaf {
  if (event.undecodable !== undefined) {
    return {
      hash: leafHash(event.undecodable),
      contentText: undefined,
      contentDigest: undefined,
    };
  }
  const { data, metadata } = event;
  const content = contentOf(data);
  const text = content === undefined ? undefined : contentText(content);
  const digest = text === undefined ? undefined : sha256Hex(text);
  const schemaVersion = isObject(metadata) ? (metadata.schemaVersion ?? null) : null;
  const form =
    `{"data":${canonicalJson(withDigest(data, digest))},"id":${canonicalJson(event.id)},` +
    `"metadata":${canonicalJson(metadata)},"schemaVersion":${canonicalJson(schemaVersion)},` +
    `"type":${canonicalJson(event.type)}}`;
  return { hash: leafHashOfText(form), contentText: text, contentDigest: digest };
}

/** The content that an event brings. */
export function contentOf(data: Json): Json | undefined {
  if (!isObject(data)) return undefined;
  if (Object.hasOwn(data, "content")) return data.content;
  const creates = Object.hasOwn(data, "creates") ? data.creates : undefined;
  return creates !== undefined && isObject(creates) && Object.hasOwn(creates, "content")
    ? creates.content
    : undefined;
}

function withDigest(data: Json, digest: string | undefined): Json {
  if (digest === undefined || !isObject(data)) return data;
  if (Object.hasOwn(data, "content")) return { ...data, content: digest };
  return { ...data, creates: { ...(data.creates as JsonObject), content: digest } };
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The leaf hash of text: the prefix 0x00 is U+0000 in UTF-8. */
function leafHashOfText(text: string): Uint8Array {
  return sha256Text(`\u0000${text}`);
}
