import type { Tokenizer } from "@palimpsest/core";
import { utf8Div4 } from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import type { ResumeOptions } from "./feed/resume.ts";

/**
 * Options of the projections of a log. Projections that are given the same object, or none, share
 * one fold of the stream; keep it rather than write it anew for each.
 */
export interface ProjectionOptions {
  readonly resume?: ResumeOptions;
  /** Tokenizers known beside the default one; a window names the one it counts with. */
  readonly tokenizers?: readonly Tokenizer[];
}

export const defaultOptions: ProjectionOptions = {};

/**
 * The tokenizer that the window's stream names. Throws a TypeError for one that was not passed: a
 * count by another would be a guess.
 */
export function tokenizerOf(state: WindowState, options: ProjectionOptions): Tokenizer {
  const { tokenizer: name, window } = state;
  if (name === "" || name === utf8Div4.name) return utf8Div4;
  const found = options.tokenizers?.find((one) => one.name === name);
  if (found !== undefined) return found;
  throw new TypeError(
    `window ${window} counts with tokenizer ${JSON.stringify(name)}: pass it in \`tokenizers\``,
  );
}
