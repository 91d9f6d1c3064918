import type { Json } from "./json.ts";

/** Most values in one command: shared references in an object can stand for more than memory. */
const MAX_VALUES = 5_000_000;

/** Deepest nesting of arrays and objects in one field of a command. */
export const MAX_DEPTH = 64;

export type Guarded =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly problem: string };

class NotJson extends Error {}

/**
 * Takes a private copy of a value that came from outside, or says why it is no JSON that every
 * reader would read alike: I-JSON (RFC 7493) with a depth limit. Keys whose value is `undefined`
 * are left out, as `JSON.stringify` does. Total: never throws, getters and proxies included.
 *
 * The copy matters as much as the check: a caller who changes an object after handing it over
 * cannot change what was decided on. It is frozen, for what a reader is given later.
 */
export function guardJson(value: unknown, maxDepth: number = MAX_DEPTH): Guarded {
  try {
    return { ok: true, value: new Copier().copy(value, "", maxDepth) };
  } catch (error) {
    if (error instanceof NotJson) return { ok: false, problem: error.message };
    return { ok: false, problem: "the value cannot be read as JSON" };
  }
}

/** True when arrays and objects are nested more than `depth` levels deep. */
export function isDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1));
}

class Copier {
  #left = MAX_VALUES;

  copy(value: unknown, path: string, depth: number): Json {
    this.#left -= 1;
    if (this.#left < 0) throw new NotJson(`the command holds more than ${MAX_VALUES} values`);
    if (typeof value === "string") {
      if (!value.isWellFormed()) throw new NotJson(`${at(path)} holds a lone surrogate`);
      return value;
    }
    if (typeof value === "number") return copyNumber(value, path);
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") throw new NotJson(`${at(path)} is ${typeof value}, no JSON`);
    if (depth === 0) throw new NotJson(`${at(path)} is nested too deep`);
    return Array.isArray(value)
      ? this.#copyArray(value, path, depth)
      : this.#copyObject(value, path, depth);
  }

  #copyArray(value: readonly unknown[], path: string, depth: number): Json {
    const items: Json[] = [];
    for (let i = 0; i < value.length; i += 1) {
      items.push(this.copy(value[i], `${path}/${i}`, depth - 1));
    }
    return Object.freeze(items);
  }

  #copyObject(value: object, path: string, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      throw new NotJson(`${at(path)} is an object with a prototype of its own, no JSON`);
    }
    const fields: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      const field: unknown = Reflect.get(value, key);
      if (field === undefined) continue;
      if (!key.isWellFormed()) throw new NotJson(`a key in ${at(path)} holds a lone surrogate`);
      const name = key.replaceAll("~", "~0").replaceAll("/", "~1");
      const child = this.copy(field, `${path}/${name}`, depth - 1);
      if (key === "__proto__") defineOwn(fields, key, child);
      else fields[key] = child;
    }
    return Object.freeze(fields);
  }
}

function copyNumber(value: number, path: string): number {
  if (!Number.isFinite(value)) throw new NotJson(`${at(path)} is ${value}, no JSON number`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
    throw new NotJson(`${at(path)} is a whole number beyond 2^53: write it as a string`);
  }
  // JSON text has no minus zero, so nor has what is stored.
  return value === 0 ? 0 : value;
}

/** Plain assignment to `__proto__` would set the prototype and lose the field. */
function defineOwn(target: object, key: string, value: Json): void {
  Object.defineProperty(target, key, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  });
}

/** Names a place by its JSON Pointer (RFC 6901); a hostile key is cut short. */
function at(path: string): string {
  if (path === "") return "the value";
  return JSON.stringify(path.length > 80 ? `${path.slice(0, 80)}…` : path);
}
