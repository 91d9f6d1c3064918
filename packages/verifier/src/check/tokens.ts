import { utf8Length } from "#platform";

/** The number of tokens of a text. */
export type TokenCounter = (text: string) => number;

/** The tokenizer that windows have unless they name another: ⌈UTF-8 bytes / 4⌉. */
const DEFAULT = "utf8-bytes/4";

const utf8Div4: TokenCounter = (text) => Math.ceil(utf8Length(text) / 4);

/** Undefined for a tokenizer that is not known here: its counts are not checked. */
export function tokenCounter(
  name: string | undefined,
  others: Readonly<Record<string, TokenCounter>> = {},
): TokenCounter | undefined {
  if (name === DEFAULT) return utf8Div4;
  return name !== undefined && Object.hasOwn(others, name) ? others[name] : undefined;
}
