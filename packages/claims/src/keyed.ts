import type { Scalar } from "./scalars.ts";
import { scalarOf } from "./scalars.ts";

/** A line that gives a name a value, and what is remarked on it in the same line. */
export interface Keyed {
  readonly key: string;
  readonly value: Scalar;
  readonly remark?: string;
  /** How it is written: `=` in TOML, INI and environments, `:` in YAML and JSON. */
  readonly separator: "=" | ":";
}

const COMMENT = /^(?:#+|\/\/+|;+|--|\*|\/\*+|<!--|%)\s?/;
const DECLARED = "(?:export |set |const |let |var |val |pub |public |static |final )";
const KEYED = new RegExp(
  `^(?:${DECLARED}{0,4}|- )(["']?)([A-Za-z_][\\w.-]{0,63})\\1` +
    "( ?[=:] ?|\\s{1,40}[=:]\\s{0,40}|:\\s{1,40})",
);

/** The words of a comment line; undefined for any other line. */
export function commentOf(body: string): string | undefined {
  const text = body.trimStart();
  const sign = COMMENT.exec(text);
  return sign === null ? undefined : text.slice(sign[0].length).replace(/\s*(?:\*\/|-->)$/, "");
}

/** Takes a line apart; undefined for one that does not give a name a single value. */
export function keyedOf(body: string, words = false): Keyed | undefined {
  const text = body.trimStart();
  const match = KEYED.exec(text);
  if (match === null) return undefined;
  const separator = match[3]?.includes("=") === true ? "=" : ":";
  const rest = text.slice(match[0].length);
  if (rest.startsWith("=") || (separator === ":" && !/\s$/.test(match[3] ?? ""))) return undefined;
  const { text: valueText, remark } = withoutRemark(rest);
  const value = scalarOf(valueText.replace(/[,;]$/, "").trimEnd(), words);
  if (value === undefined) return undefined;
  return { key: match[2] ?? "", value, separator, ...(remark !== undefined && { remark }) };
}

/** Splits a trailing comment off a value. */
function withoutRemark(rest: string): { readonly text: string; readonly remark?: string } {
  const at = rest.search(/\s(?:#|\/\/|;|--|\/\*|<!--|\()/);
  if (at < 0) return { text: rest };
  const remark = rest
    .slice(at + 1)
    .replace(COMMENT, "")
    .replace(/\s*(?:\*\/|-->)$/, "");
  return { text: rest.slice(0, at).trimEnd(), remark };
}

/** A key that by itself says what it is about, so that it is the same thing in another scope. */
export function isSpecific(key: string): boolean {
  const last = key.slice(key.lastIndexOf(".") + 1);
  return last.length >= 5 && /[A-Za-z0-9][_-][A-Za-z0-9]|[a-z][A-Z]/.test(last);
}

/** One form for the spellings of a key: `retryBudget`, `retry-budget`, `limits.retry_budget`. */
export function keyForm(key: string): string {
  return key
    .slice(key.lastIndexOf(".") + 1)
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[\s_-]+/g, "_")
    .toLowerCase();
}
