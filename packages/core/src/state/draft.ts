import type { WindowState } from "./state.ts";

/*
 * A state that is being folded. Its fields may be replaced; its collections are values, unless
 * they were made mutable for folding many events at once.
 */
export type Draft = { -readonly [K in keyof WindowState]: WindowState[K] };

/**
 * Collections that an event may touch, but for the sets, which are small or compared with what
 * they were.
 */
const COLLECTIONS = [
  "marks",
  "edits",
  "merges",
  "spans",
  "slots",
  "reads",
  "editOrdinal",
  "boundaries",
  "commands",
  "policies",
  "proposals",
  "disputed",
  "claims",
  "claimIndex",
  "claimIdentity",
  "subjects",
  "noted",
  "restOnClaim",
  "restOnSpan",
  "restOnUri",
  "carriedBy",
  "recalls",
  "spansOf",
  "sources",
] as const satisfies readonly (keyof WindowState)[];

/** A private copy whose collections change in place; `state` stays what it is. */
export function mutableDraft(state: WindowState): Draft {
  return convert({ ...state }, "asMutable");
}

/** Makes a mutable draft a value, for good. */
export function settle(draft: Draft): WindowState {
  return convert(draft, "asImmutable");
}

function convert(draft: Draft, how: "asMutable" | "asImmutable"): Draft {
  for (const name of COLLECTIONS) Object.assign(draft, { [name]: draft[name][how]() });
  return draft;
}
