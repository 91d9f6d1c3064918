import { claimAt } from "../claims/claims.ts";
import { KnownClaims } from "../claims/extract/cross.ts";
import type { WindowState } from "./state.ts";

/** What the window has been found to say so far; grows as claims are folded. */
export class Findings {
  readonly #known = new KnownClaims();
  #claims = 0;

  /** The claims of the state, those asserted since the last time added. */
  upTo(state: WindowState): KnownClaims {
    for (; this.#claims < state.claims.size; this.#claims += 1) {
      this.#known.add(claimAt(state, this.#claims));
    }
    return this.#known;
  }
}
