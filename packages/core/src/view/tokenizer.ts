import { utf8Length } from "#platform";

/** Counts the tokens of a text; the window's stream names it, so a count is never a guess. */
export interface Tokenizer {
  /** The name under which windows ask for it. */
  readonly name: string;
  /** Whole number ≥ 0. Must be a pure function of `text`. */
  count(text: string): number;
}

/** ⌈UTF-8 bytes / 4⌉: the default, the same for every kind of block, unknown ones included. */
export const utf8Div4: Tokenizer = {
  name: "utf8-bytes/4",
  count: (text) => Math.ceil(utf8Length(text) / 4),
};

/** Counts as `tokenizer` does; throws a TypeError for what is no count, instead of recording it. */
export function checked(tokenizer: Tokenizer): Tokenizer {
  const { name } = tokenizer;
  const count = (text: string): number => {
    const tokens: unknown = tokenizer.count(text);
    if (Number.isSafeInteger(tokens) && (tokens as number) >= 0) return tokens as number;
    throw new TypeError(
      `tokenizer ${JSON.stringify(name)} counted ${String(tokens)} tokens: a count is a whole ` +
        "number, 0 or more",
    );
  };
  return { name, count };
}
