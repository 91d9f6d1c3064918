/**
 * `@palimpsest/cli/terminal`: what spans hold as text that is safe on a terminal, for other
 * programs that print it.
 */
export { counted } from "./counted.ts";
export { safeLine } from "./safe.ts";
export { safeJson, safeText } from "./safe-text.ts";
