import type { Json } from "@palimpsest/core";

/* Names of files: as arguments of a call give them, and as they are compared. */

/** A word with a folder or an ending in it, or an address; no dot or space is its last sign. */
const PATH = /^(?:[a-z]+:\/\/)?[\w@~.+-]*(?:[/\\][\w@~.+ -]*)*(?<=[\w@~+-])$/i;
const ENDING = /\.[A-Za-z][A-Za-z0-9]{0,9}$/;
const MAX_PATH = 260;

/** Bounds of what is looked at in the arguments of one call. */
const MAX_STRINGS = 100;
const MAX_DEPTH = 6;
/** Files that a patch names. */
const PATCHED = /^(?:\+\+\+ (?:b\/)?|\*\*\* (?:Update|Add|Delete) File: )(\S+)/gm;
const MAX_PATCH = 100_000;
/** Longest text that is taken for a command rather than for what is written to a file. */
const MAX_COMMAND = 2_000;
/** Words of a command line that are looked at. */
const MAX_WORDS = 200;

/** The strings in a value, keys apart, in order. */
export function stringsIn(value: Json | undefined): string[] {
  const found: string[] = [];
  const visit = (one: Json | undefined, depth: number): void => {
    if (found.length >= MAX_STRINGS || depth > MAX_DEPTH) return;
    if (typeof one === "string") found.push(one);
    else if (Array.isArray(one)) for (const part of one) visit(part, depth + 1);
    else if (typeof one === "object" && one !== null) {
      for (const part of Object.values(one)) visit(part as Json, depth + 1);
    }
  };
  visit(value, 0);
  return found;
}

export function isPath(text: string): boolean {
  if (text.length > MAX_PATH || text.length < 3 || !/[./\\]/.test(text)) return false;
  return PATH.test(text) && (ENDING.test(text) || /[/\\]/.test(text)) && /[A-Za-z]/.test(text);
}

/** The files that the arguments of a call name, alone or as words of a command. */
export function pathsIn(strings: readonly string[]): string[] {
  const alone = strings.filter(isPath);
  const paths = strings.flatMap((text) => {
    if (isPath(text)) return [text];
    const heads = [...text.slice(0, MAX_PATCH).matchAll(PATCHED)].map((found) => found[1] ?? "");
    // Beside a path of its own, any other text is what is written to the file.
    const written = alone.length > 0 || text.length > MAX_COMMAND;
    if (heads.length > 0 || written) return heads.filter(isPath);
    const words = text.split(/[\s"'`=;|&<>()]+/, MAX_WORDS);
    return words.length < 2 ? [] : words.filter(isPath);
  });
  return [...new Set(paths)];
}

/** The last part of a path or address. */
export function fileOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

/** One is the other's end, as when one is relative. */
export function isSameFile(a: string, b: string): boolean {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a];
  return long === short || long.endsWith(`/${short.replace(/^\.?\//, "")}`);
}
