/** One of several phrases, each a pattern, as whole words in any case. */
export function anyWord(...phrases: readonly string[]): RegExp {
  return new RegExp(`(?<![\\w-])(?:${phrases.join("|")})(?!\\w)`, "i");
}

/** The same, wherever it stands, also inside a word. */
export function anyPart(...phrases: readonly string[]): RegExp {
  return new RegExp(phrases.join("|"), "i");
}
