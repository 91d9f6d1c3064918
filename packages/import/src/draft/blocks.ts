import type { Json, JsonObject, Origin, SpanKind } from "@palimpsest/core";
import { tryParse } from "../exact-json.ts";

/** Where a block was recorded. */
export interface Source {
  /** Line, or number of the message in a JSON document. */
  readonly at: number;
  /** The text it was parsed from. */
  readonly text: string;
  /** The recorder's own id of the line. */
  readonly uuid?: string | undefined;
}

export type ToolStatus = "ok" | "error" | "denied" | "interrupted";

/** One block of a message in the words of a window, before ids are given out. */
export interface Block {
  readonly from: Source;
  readonly origin: Origin;
  readonly kind: SpanKind;
  readonly content: Json;
  /** The recorder's id of the call, on calls and results. */
  readonly callId?: string;
  readonly tool?: { readonly name: string; readonly status?: ToolStatus };
  readonly sealed?: boolean;
  /** Equal for blocks of messages that read alike; only the Codex reader needs it. */
  readonly likeness?: string;
  /** What the provider's own block had beyond all this. */
  readonly provider?: JsonObject;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function stringAt(value: unknown, key: string): string | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return typeof field === "string" ? field : undefined;
}

export function objectAt(value: unknown, key: string): JsonObject | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return isObject(field) ? field : undefined;
}

export function arrayAt(value: unknown, key: string): readonly Json[] | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return Array.isArray(field) ? field : undefined;
}

/** A recorded id; some recorders count where others name. */
export function idAt(value: unknown, key: string): string | undefined {
  const field = isObject(value) ? value[key] : undefined;
  return typeof field === "number" ? String(field) : stringAt(value, key);
}

/** Those of the fields that hold a text, which is the form a reader takes them in. */
export function textFields(value: JsonObject, keys: readonly string[]): string[] {
  return keys.filter((key) => typeof value[key] === "string");
}

/** The first of the fields that is there; the first of all when none is. */
export function firstField(value: JsonObject, keys: readonly [string, ...string[]]): string {
  return keys.find((key) => (value[key] ?? null) !== null) ?? keys[0];
}

/** True for a value in which nothing is said. */
export function isBlank(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return (value ?? "") === "";
  return Object.keys(value).length === 0;
}

/** The fields of a recorded block that its span does not say already, or undefined. */
export function leftOver(recorded: JsonObject, known: readonly string[]): JsonObject | undefined {
  const rest = Object.entries(recorded).filter(
    ([key, value]) => !known.includes(key) && value !== null,
  );
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Joins what is known of the provider's block; nothing known is nothing stored. */
export function providerOf(
  ...parts: readonly (JsonObject | undefined)[]
): { provider: JsonObject } | Record<never, never> {
  // Not by assignment, which has a meaning of its own for a field named __proto__.
  const provider = Object.fromEntries(parts.flatMap((part) => Object.entries(part ?? {})));
  return Object.keys(provider).length === 0 ? {} : { provider };
}

/**
 * Arguments that a provider transports as a text: parsed where they are JSON. `text` is given back
 * only where printing the parsed value would not yield it.
 */
export function parseArguments(text: string): { value: Json; text?: string } {
  const value = tryParse(text);
  if (value === undefined) return { value: text, text };
  return JSON.stringify(value) === text ? { value } : { value, text };
}

/** A list of text parts as one text; undefined when a part is or says anything else. */
export function joinTexts(parts: readonly Json[], types: readonly string[]): string | undefined {
  const texts: string[] = [];
  for (const part of parts) {
    const text = stringAt(part, "text");
    if (!isObject(part) || text === undefined) return undefined;
    if (!types.includes(stringAt(part, "type") ?? "")) return undefined;
    if (leftOver(part, ["type", "text"])) return undefined;
    texts.push(text);
  }
  return texts.join("\n");
}
