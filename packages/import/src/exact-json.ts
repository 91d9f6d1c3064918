import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@palimpsest/core";

/*
 * A window refuses what two readers of JSON may read differently: whole numbers beyond 2^53, lone
 * surrogates and deep nesting. A recording may hold all three, and an import may lose none of it.
 * So such numbers keep their source text while a line is parsed, and a value that the window would
 * refuse is stored as its JSON text instead.
 */

interface SourceTextJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
}

/** The half of the proposal "JSON.parse source text access" that TypeScript has no types for. */
const { rawJSON, isRawJSON } = JSON as unknown as SourceTextJson;

/**
 * Deepest nesting of a value that is kept as a value. The window's own limit is 64 for one field of
 * a command; the difference is room for what is put around a value.
 */
const MAX_DEPTH = 56;

/** Matches every text with a number that needs a second look, and some without. */
const SUSPICIOUS_NUMBER = /[:,[\s]-?\d[\d.]*[eE]|\d{16}/;

type Reviver = (this: unknown, key: string, value: unknown) => unknown;

const keepSource = (_key: string, value: unknown, context: { source?: string }): unknown =>
  typeof value === "number" && !isExact(value) && context.source !== undefined
    ? rawJSON(context.source)
    : value;

function isExact(value: number): boolean {
  return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
}

/**
 * `JSON.parse`, but a number that does not survive as a JavaScript number is kept as an object that
 * `JSON.stringify` prints as it was written. Throws a SyntaxError like `JSON.parse`.
 */
export function parseExact(text: string): Json {
  if (!SUSPICIOUS_NUMBER.test(text)) return JSON.parse(text) as Json;
  return JSON.parse(text, keepSource as Reviver) as Json;
}

/** The value, or undefined when the text is not JSON. */
export function tryParse(text: string): Json | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** True when a window takes the value as it is. */
export function isAdmissible(value: Json, depth = MAX_DEPTH): boolean {
  if (typeof value === "string") return value.isWellFormed();
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0 || isRawJSON(value)) return false;
  if (Array.isArray(value)) return value.every((item: Json) => isAdmissible(item, depth - 1));
  return Object.entries(value as JsonObject).every(
    ([key, field]) => key.isWellFormed() && isAdmissible(field, depth - 1),
  );
}

/**
 * The value as a window takes it: itself, or a text with lone surrogates written as their escapes,
 * or its JSON text. `recorded` is the text it was parsed from; it stands in for a value nested too
 * deep to be printed.
 */
export function admissible(value: Json, recorded: string): Json {
  if (isAdmissible(value)) return value;
  if (typeof value === "string") return wellFormed(value);
  return wellFormed(jsonText(value) ?? recorded);
}

/** Writes lone surrogates as the escapes that JSON has for them. */
export function wellFormed(text: string): string {
  if (text.isWellFormed()) return text;
  return text.replace(
    /\p{Surrogate}/gu,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** A short digest of a text. */
export function textDigest(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}

/** A short digest of a value; of one that is nested too deep to be printed, of its line's text. */
export function valueDigest(value: Json, line: string): string {
  return textDigest(jsonText(value) ?? line);
}

/** The JSON text of a value; undefined for one that is nested too deep to be printed. */
function jsonText(value: Json): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    // Printing recurses, parsing does not: what parsed may be too deep to print.
    return undefined;
  }
}
