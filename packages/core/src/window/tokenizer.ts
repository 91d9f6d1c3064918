import { utf8Length } from "#platform";

/** Counts the tokens of a text; the window's stream names it, so a count is never a guess. */
export interface Tokenizer {
  readonly name: string;
  /** Whole number ≥ 0. Must be a pure function of `text`. */
  count(text: string): number;
}

/** ⌈UTF-8 bytes / 4⌉: the default, the same for every kind of block, unknown ones included. */
export const utf8Div4: Tokenizer = {
  name: "utf8-bytes/4",
  count: (text) => Math.ceil(utf8Length(text) / 4),
};
