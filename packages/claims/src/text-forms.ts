import type { ExtractSpan } from "./extraction.ts";
import { keyedOf } from "./keyed.ts";
import type { Line } from "./lines.ts";
import { isLiteral } from "./scalars.ts";

/** What kind of text a span holds, which decides what in it counts as a claim. */
export type Form =
  /** Lines of keys and values under section headers. */
  | "flat"
  /** Keys and values nested by indentation: YAML, and JSON over several lines. */
  | "tree"
  | "prose"
  /** Code that the host named. */
  | "code"
  /** Code, logs, listings: only what is hedged. */
  | "other";

const FLAT = /(?:\.(?:toml|ini|cfg|conf|properties|env)|(?:^|[/\\])\.env(?:\.[\w-]+)?)$/i;
const TREE = /\.(?:ya?ml|json|jsonc|json5)$/i;
const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc)$/i;
/** Written by programs, or a list of versions rather than settings. */
const GENERATED = /(?:lock\.(?:json|ya?ml)|\.lock|shrinkwrap\.json|\.min\.json|\.map)$/i;

/** A file whose keys and values are settings. */
export function isSettings(path: string): boolean {
  const plain = path.replace(/[?#].*$/, "");
  return (FLAT.test(plain) || TREE.test(plain)) && !GENERATED.test(plain);
}

export function formOf({ origin, source }: ExtractSpan, lines: readonly Line[]): Form {
  if (source === undefined) {
    if (origin !== "tool") return "prose";
    return looksFlat(lines) ? "flat" : looksProse(lines) ? "prose" : "other";
  }
  const plain = source.replace(/[?#].*$/, "");
  if (isSettings(plain)) return FLAT.test(plain) ? "flat" : "tree";
  if (PROSE.test(plain)) return "prose";
  const named = /\.[A-Za-z0-9]{1,10}$/.test(plain.slice(plain.lastIndexOf("/") + 1));
  if (named) return "code";
  return looksFlat(lines) ? "flat" : looksProse(lines) ? "prose" : "other";
}

/** Lines looked at when a text does not say what it is. */
const SAMPLE = 200;

/** Nearly all of it is `name = value`, as in a file that a shell printed. */
function looksFlat(lines: readonly Line[]): boolean {
  let keyed = 0;
  let others = 0;
  for (const { body } of lines.slice(0, SAMPLE)) {
    const text = body.trim();
    if (text === "" || /^[#;]/.test(text) || /^\[[\w. -]+\]$/.test(text)) continue;
    const found = keyedOf(text);
    if (found?.separator === "=" && (isLiteral(found.value) || /["']/.test(text))) keyed += 1;
    else others += 1;
  }
  return keyed > 0 && (others === 0 || (keyed >= 3 && others * 5 <= keyed));
}

/** Most of it is sentences: words that begin like one, without the signs of code. */
function looksProse(lines: readonly Line[]): boolean {
  let sentences = 0;
  let others = 0;
  for (const { body } of lines.slice(0, SAMPLE)) {
    const text = body.trim();
    if (text === "" || text.startsWith("#")) continue;
    if (/^[-*>\d.) ]{0,6}[A-Z`"*][^{}<>=;|\\]{12,}$/.test(text) && text.split(" ").length >= 4) {
      sentences += 1;
    } else others += 1;
  }
  return sentences > 0 && others * 2 <= sentences;
}
