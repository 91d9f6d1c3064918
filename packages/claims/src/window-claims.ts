import type { Claim, WindowState } from "@palimpsest/core/state";
import { claimAt } from "@palimpsest/core/state";
import type { ExtractedClaim } from "./extraction.ts";
import type { ConflictWithKnown } from "./known-claims.ts";
import { KnownClaims } from "./known-claims.ts";
import type { Topics } from "./topics.ts";

/** The claims of one window that are in the log; grows as claims are folded. */
export class WindowClaims {
  readonly #known = new KnownClaims();
  #claims = 0;

  /** The claims of a state that is in the log, those asserted since the last time added. */
  upTo(state: WindowState): KnownClaims {
    for (; this.#claims < state.claims.size; this.#claims += 1) {
      const claim = claimAt(state, this.#claims);
      this.#known.add(claim, sourceOf(state, claim));
    }
    return this.#known;
  }
}

/**
 * What is known in the middle of an append: what was before it, and the claims made in it so far.
 * The append may never happen, so they do not become part of `before`.
 */
export class ClaimsInAppend extends KnownClaims {
  readonly #before: KnownClaims;
  #state: WindowState;
  #claims: number;

  constructor(before: KnownClaims, state: WindowState) {
    super();
    this.#before = before;
    this.#state = state;
    this.#claims = state.claims.size;
  }

  /** Adds the claims that the append has made by now. */
  upTo(state: WindowState): this {
    this.#state = state;
    for (; this.#claims < state.claims.size; this.#claims += 1) {
      const claim = claimAt(state, this.#claims);
      this.add(claim, sourceOf(state, claim));
    }
    return this;
  }

  override from(source: string): string[] {
    return [...this.#before.from(source), ...super.from(source)];
  }

  override get topics(): readonly Topics[] {
    return [...this.#before.topics, ...super.topics];
  }

  override stands(id: string): boolean {
    const index = this.#state.claimIndex.get(id);
    return index === undefined || this.#state.claims.get(index)?.retracted === undefined;
  }

  override conflictsWith(claims: readonly ExtractedClaim[]): ConflictWithKnown[] {
    const stands = (id: string) => this.stands(id);
    return [...this.#before.conflictsWith(claims, stands), ...super.conflictsWith(claims, stands)];
  }
}

/** The source that the host named for what carries a claim; undefined where it named none. */
function sourceOf({ spans }: WindowState, { carriers }: Claim): string | undefined {
  const [carrier] = carriers;
  return carrier === undefined ? undefined : spans.get(carrier)?.source?.uri;
}
