import type { Json } from "@palimpsest/core";
import { canonicalJson } from "@palimpsest/core";
import type { ExtractedClaim, ExtractedConflict, Extraction } from "./extraction.ts";

/* A host's own extractor may be a model whose types are only a promise: its answer is checked. */

/** Whether all of it has the shape that the port asks for. Throws for a value that is not JSON. */
export function isExtraction(found: unknown): found is Extraction {
  const { claims, conflicts } = fieldsOf<Extraction>(found);
  return (
    Array.isArray(claims) &&
    Array.isArray(conflicts) &&
    claims.every(isClaim) &&
    conflicts.every(isConflict)
  );
}

function isClaim(one: unknown): boolean {
  const { statement, scope = "", key = "", value, quote } = fieldsOf<ExtractedClaim>(one);
  return [statement, scope, key, quote].every(isText) && isValue(value);
}

function isConflict(one: unknown): boolean {
  const { a, b, note } = fieldsOf<ExtractedConflict>(one);
  return Number.isInteger(a) && Number.isInteger(b) && isText(note);
}

function isValue(value: unknown): boolean {
  return value === undefined || canonicalJson(value as Json) !== "";
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function fieldsOf<T>(value: unknown): { readonly [K in keyof T]?: unknown } {
  return typeof value === "object" && value !== null ? value : {};
}
