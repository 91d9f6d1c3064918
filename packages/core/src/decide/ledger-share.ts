import { isModel } from "../commands/principals.ts";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { WindowEvent } from "../events/schema.ts";
import { subjectOf } from "../state/claim-identity.ts";
import type { Claim } from "../state/claims.ts";
import { claimAt, opposing } from "../state/claims.ts";
import {
  citingDecisions,
  closedConflicts,
  isProtected,
  openConflicts,
} from "../state/protection.ts";
import type { WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import { historyLine, lineOf, retractedLine } from "../view/ledger.ts";
import type { Tokenizer } from "../view/tokenizer.ts";
import type { Act } from "./outcome.ts";
import { advance } from "./outcome.ts";

/** Share of the budget that the model's party may fill in the ledger. */
const MODEL_SHARE = 0.1;

/** An event that may bring lines into the ledger. */
export interface Filling {
  readonly event: WindowEvent;
  /** Ids of the claims that it is about. */
  readonly about: readonly string[];
  /** What the model can do about a refusal. */
  readonly instead: string;
}

/**
 * Refuses what would let the model's party crowd the window: with its own claims, by protecting or
 * contesting others, or with what it says of those it retracts. Lines count whether they are
 * printed now or only once their carriers are pruned or recalled: otherwise a full ledger could be
 * prepared in advance, and a prune would gain nothing. An event that takes away as many tokens as
 * it brings is never refused.
 */
export function ledgerFull(
  before: WindowState,
  { event, about, instead }: Filling,
  act: Act,
): Refusal | undefined {
  if (act.by.party !== "model" || before.budget === undefined) return undefined;
  const { tokenizer } = act;
  const after = advance(before, [event], act);
  const limit = Math.floor(before.budget * MODEL_SHARE);
  const affected = affectedBy(after, about);
  const known = affected.filter((index) => index < before.claims.size);
  const more = tokensOf(after, affected, tokenizer) - tokensOf(before, known, tokenizer);
  const would = allTokens(before, tokenizer) + more;
  if (would <= limit || more <= 0) return undefined;
  return refusal(
    "ledger-full",
    `what the model says would fill ${would} tokens of the ledger, more than ${limit}: ${instead}`,
    { tokens: would, limit },
  );
}

/** The claims whose line, or whose protection, such an event can change. */
function affectedBy(state: WindowState, about: readonly string[]): number[] {
  const changed = about.flatMap((id) => state.claimIndex.get(id) ?? []);
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

/** The same ledger refuses many claims one after another, so its tokens are counted once. */
const counted = new WeakMap<object, number>();

function allTokens(state: WindowState, tokenizer: Tokenizer): number {
  const tokens = counted.get(state.ledgerKey) ?? tokensOf(state, state.watched, tokenizer);
  counted.set(state.ledgerKey, tokens);
  return tokens;
}

function tokensOf(state: WindowState, claims: Iterable<number>, tokenizer: Tokenizer): number {
  let tokens = 0;
  for (const index of claims) {
    for (const line of modelsLines(state, claimAt(state, index))) tokens += tokenizer.count(line);
  }
  return tokens;
}

/** The lines of a claim that would not be there without the model's party. */
function modelsLines(state: WindowState, claim: Claim): string[] {
  const { retracted } = claim;
  if (retracted === undefined) {
    const own = isModels(state, claim) ? [lineOf(state, claim)] : [];
    return [...own, ...modelsHistory(state, claim)];
  }
  const [carrier] = claim.carriers;
  if (carrier === undefined || !isModel(retracted.by)) return [];
  return retractedLine(state, claim, spanAt(state, carrier).id);
}

/** Counted also while nothing protects the claim: whoever does so later did not ask for them. */
function modelsHistory(state: WindowState, claim: Claim): string[] {
  return closedConflicts(state, claim)
    .filter(({ retracted }) => isModel(retracted?.by ?? ""))
    .map((other) => historyLine(claim, other));
}

/** Its claim, or one that only its evidence, decisions, notes or contradictions protect. */
function isModels(state: WindowState, claim: Claim): boolean {
  if (!isProtected(state, claim) && claim.carriers.length > 0) return false;
  if (isModel(claim.by)) return true;
  if (claim.kind === "decision" || claim.carriers.length === 0) return false;
  if (claim.evidenceBeyondModel) return false;
  if (!citingDecisions(state, claim).every(({ by }) => isModel(by))) return false;
  const noted = state.noted.get(claim.index) ?? [];
  return openConflicts(state, claim).every(({ index, by }) => {
    const notes = noted.filter((note) => note.claim === index);
    // A conflict that nobody noted is one of key and value, made by asserting the other side.
    return notes.length === 0 ? isModel(by) : notes.every((note) => isModel(note.by));
  });
}
