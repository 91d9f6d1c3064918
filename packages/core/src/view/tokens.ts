import type { WindowState } from "../state/state.ts";
import { ledgerLines } from "./ledger.ts";
import type { Tokenizer } from "./tokenizer.ts";

/** What the lines of a ledger cost; most commands leave them as they were. */
const counted = new WeakMap<object, { readonly tokenizer: Tokenizer; readonly tokens: number }>();

/** Tokens of the ledger's claim lines, each counted by itself. */
export function ledgerTokens(state: WindowState, tokenizer: Tokenizer): number {
  const known = counted.get(state.ledgerKey);
  if (known?.tokenizer === tokenizer) return known.tokens;
  const tokens = ledgerLines(state).reduce((sum, line) => sum + tokenizer.count(line), 0);
  counted.set(state.ledgerKey, { tokenizer, tokens });
  return tokens;
}

/** What a window costs: its live spans and the claim lines of its ledger. */
export interface WindowTokens {
  readonly tokens: number;
  readonly ledgerTokens: number;
  readonly overBudget: boolean;
}

export function windowTokens(state: WindowState, tokenizer: Tokenizer): WindowTokens {
  const ledger = ledgerTokens(state, tokenizer);
  const tokens = state.liveTokens + ledger;
  const overBudget = state.budget !== undefined && tokens > state.budget;
  return { tokens, ledgerTokens: ledger, overBudget };
}
