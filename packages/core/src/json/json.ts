/** A JSON value as `JSON.parse` gives it. */
export type Json = string | number | boolean | null | readonly Json[] | JsonObject;

/** A JSON object; its keys may be anything, `__proto__` included. */
export interface JsonObject {
  /** Any key, any value. */
  readonly [key: string]: Json;
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
