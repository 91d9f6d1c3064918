import type { Json } from "@palimpsest/core/events";

/** What `JSON.stringify` writes as it is: printable ASCII without quote and backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;

/** Levels of nesting; the library stores 64. Without a limit the size of the stack would be one. */
const MOST_LEVELS = 1_000;

/**
 * The RFC 8785 form of a JSON value: keys in the order of their UTF-16 code units, no white space,
 * numbers and strings as ECMAScript writes them. Throws a RangeError beyond 1,000 levels.
 */
export function canonicalJson(value: Json, level = 0): string {
  if (typeof value === "string") return quoted(value);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (level >= MOST_LEVELS) throw new RangeError("JSON is nested too deep");
  if (Array.isArray(value)) {
    let text = "[";
    for (let i = 0; i < value.length; i += 1) {
      text += (i === 0 ? "" : ",") + canonicalJson(value[i], level + 1);
    }
    return `${text}]`;
  }
  const fields = value as { readonly [key: string]: Json };
  let text = "{";
  for (const key of Object.keys(fields).sort()) {
    text += `${text === "{" ? "" : ","}${quoted(key)}:${canonicalJson(fields[key] as Json, level + 1)}`;
  }
  return `${text}}`;
}

function quoted(text: string): string {
  return text.length < 64 && PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** What a digest and a token count are taken of: a string as it is, other JSON in RFC 8785 form. */
export function contentText(content: Json): string {
  return typeof content === "string" ? content : canonicalJson(content);
}

export function hasCanonicalForm(value: Json): boolean {
  if (typeof value === "string") return true;
  try {
    canonicalJson(value);
    return true;
  } catch {
    return false;
  }
}
