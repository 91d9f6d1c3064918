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
 * Takes a private copy of a value that came from outside, or says why it is not JSON that every
 * reader would read alike: I-JSON (RFC 7493) with a depth limit. Keys whose value is `undefined`
 * are left out, as `JSON.stringify` does. Total: never throws, getters and proxies included.
 *
 * The copy matters as much as the check: a caller who changes an object after handing it over
 * cannot change what was decided on. It is frozen, for what a reader is given later.
 */
export function guardJson(value: unknown, maxDepth: number = MAX_DEPTH): Guarded {
  try {
    return { ok: true, value: new Copier().copy(value, maxDepth) };
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
  /** Where the copying is; spelled out only when something is wrong there. */
  readonly #path: (string | number)[] = [];

  copy(value: unknown, depth: number): Json {
    this.#left -= 1;
    if (this.#left < 0) throw new NotJson(`the command holds more than ${MAX_VALUES} values`);
    if (typeof value === "string") {
      if (!value.isWellFormed()) throw this.#problem("holds a lone surrogate");
      return value;
    }
    if (typeof value === "number") return this.#number(value);
    if (typeof value === "boolean" || value === null) return value;
    if (typeof value !== "object") throw this.#problem(`is ${typeof value}, not JSON`);
    if (depth === 0) throw this.#problem("is nested too deep");
    return Array.isArray(value) ? this.#array(value, depth) : this.#object(value, depth);
  }

  #number(value: number): number {
    if (!Number.isFinite(value)) throw this.#problem(`is ${value}, not a JSON number`);
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      throw this.#problem("is a whole number beyond 2^53: write it as a string");
    }
    // JSON text has no minus zero, so what is stored has none either.
    return value === 0 ? 0 : value;
  }

  #array(value: readonly unknown[], depth: number): Json {
    const items: Json[] = [];
    for (let i = 0; i < value.length; i += 1) {
      this.#path.push(i);
      items.push(this.copy(value[i], depth - 1));
      this.#path.pop();
    }
    return Object.freeze(items);
  }

  #object(value: object, depth: number): Json {
    const prototype: unknown = Object.getPrototypeOf(value);
    if (prototype !== Object.prototype && prototype !== null) {
      throw this.#problem("is an object with a prototype of its own, not JSON");
    }
    const fields: Record<string, Json> = {};
    for (const key of Object.keys(value)) {
      const field: unknown = Reflect.get(value, key);
      if (field === undefined) continue;
      if (!key.isWellFormed())
        throw new NotJson(`a key in ${this.#place()} holds a lone surrogate`);
      this.#path.push(key);
      const child = this.copy(field, depth - 1);
      this.#path.pop();
      if (key === "__proto__") defineOwn(fields, key, child);
      else fields[key] = child;
    }
    return Object.freeze(fields);
  }

  #problem(what: string): NotJson {
    return new NotJson(`${this.#place()} ${what}`);
  }

  /** The place as a JSON Pointer (RFC 6901); a hostile key is cut short. */
  #place(): string {
    if (this.#path.length === 0) return "the value";
    const pointer = this.#path
      .map((part) => `/${String(part).replaceAll("~", "~0").replaceAll("/", "~1")}`)
      .join("");
    return JSON.stringify(pointer.length > 80 ? `${pointer.slice(0, 80)}…` : pointer);
  }
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
