import type { Claim } from "../claims/claims.ts";
import { claimAt, opposing } from "../claims/claims.ts";
import { subjectOf } from "../claims/identity.ts";
import { citingDecisions, isProtected, openConflicts } from "../claims/protection.ts";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import { lineOf } from "../render/ledger.ts";
import type { Act } from "./outcome.ts";
import type { WindowState } from "./state.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** Share of the budget that claims of the model's party may fill in the ledger. */
const MODEL_SHARE = 0.1;

/**
 * Refuses what would let the model's party crowd the window with its own claims. Lines count
 * whether they are printed now or only once their carriers are pruned: otherwise a full ledger
 * could be prepared in advance, and a prune would gain nothing. `changed` names the claims that
 * the event is about, by index in `after`.
 */
export function ledgerFull(
  before: WindowState,
  after: WindowState,
  { by, tokenizer }: Act,
  changed: readonly number[],
): Refusal | undefined {
  if (by.party !== "model" || after.budget === undefined) return undefined;
  const limit = Math.floor(after.budget * MODEL_SHARE);
  const affected = affectedBy(after, changed);
  const known = affected.filter((index) => index < before.claims.size);
  const more = tokensOf(after, affected, tokenizer) - tokensOf(before, known, tokenizer);
  const would = allTokens(before, tokenizer) + more;
  if (would <= limit || more <= 0) return undefined;
  return refusal(
    "ledger-full",
    `claims of the model would fill ${would} tokens of the ledger, more than ${limit}: ` +
      "leave some out, or ask the host to retract what no longer matters",
    { tokens: would, limit },
  );
}

/** The claims whose line, or whose protection, such an event can change. */
function affectedBy(state: WindowState, changed: readonly number[]): number[] {
  const affected = new Set(changed);
  for (const index of changed) {
    const claim = claimAt(state, index);
    for (const other of opposing(state, claim, subjectOf(claim))) affected.add(other.index);
    for (const ref of claim.justifications.flat()) {
      const cited = "claim" in ref ? state.claimIndex.get(ref.claim) : undefined;
      if (cited !== undefined) affected.add(cited);
    }
  }
  return [...affected];
}

/** A flood is refused again and again over one ledger: it is counted once. */
const counted = new WeakMap<object, number>();

function allTokens(state: WindowState, tokenizer: Tokenizer): number {
  const tokens = counted.get(state.ledgerKey) ?? tokensOf(state, state.watched, tokenizer);
  counted.set(state.ledgerKey, tokens);
  return tokens;
}

function tokensOf(state: WindowState, claims: Iterable<number>, tokenizer: Tokenizer): number {
  let tokens = 0;
  for (const index of claims) {
    const claim = claimAt(state, index);
    if (isModels(state, claim)) tokens += tokenizer.count(lineOf(state, claim));
  }
  return tokens;
}

/** A line the model's party caused: its claim, or one that only its decisions or notes protect. */
function isModels(state: WindowState, claim: Claim): boolean {
  if (claim.retracted !== undefined) return false;
  if (!isProtected(state, claim) && claim.carriers.length > 0) return false;
  if (claim.by.startsWith("model/")) return true;
  if (claim.evidence || claim.kind === "decision" || claim.carriers.length === 0) return false;
  if (!citingDecisions(state, claim).every(({ by }) => by.startsWith("model/"))) return false;
  const noted = state.noted.get(claim.index) ?? [];
  return openConflicts(state, claim).every(({ index }) => {
    const notes = noted.filter((note) => note.claim === index);
    return notes.length > 0 && notes.every(({ by }) => by.startsWith("model/"));
  });
}
