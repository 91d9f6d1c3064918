import type { ClaimKind, Origin, SpanKind } from "../events/schema.ts";
import type { Json } from "../json/json.ts";
import type { Standing } from "../state/claims.ts";
import { standingOf } from "../state/claims.ts";
import type { WindowState } from "../state/state.ts";
import type { Gap } from "./gaps.ts";
import { coveredBy, windowItems } from "./gaps.ts";
import type { LedgerClaim } from "./ledger.ts";
import { ledgerClaims } from "./ledger.ts";
import type { ContentOf } from "./render.ts";
import { renderWindow } from "./render.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { windowTokens } from "./tokens.ts";

/** A live span. */
export interface SpanView {
  /** Id of the span. */
  readonly spanId: string;
  /** Orders the spans: the revision of its birth, or where the first of those it replaced stood. */
  readonly position: number;
  /** Who the content is from. */
  readonly origin: Origin;
  /** What the content is. */
  readonly kind: SpanKind;
  /** Tokens of the content. */
  readonly tokens: number;
  /** What it holds. */
  readonly content: Json;
  /** Of the product of a rewrite: ids of the spans that it stands for, in order of position. */
  readonly covers?: readonly string[];
}

/** A claim that the ledger shows. */
export interface ClaimView {
  /** Id of the claim. */
  readonly claimId: string;
  /** Whether it says what is, or what was decided. */
  readonly kind: ClaimKind;
  /** The claim in words. */
  readonly statement: string;
  /** The words in its carrier; null: it has none. */
  readonly quote: string | null;
  /** Whether what it rests on still holds. */
  readonly standing: Standing;
  /** Who said it first: `party/name`. */
  readonly by: string;
  /** Ids of the claims it is in open conflict with. */
  readonly contestedBy: readonly string[];
  /** The span that a recall brings back; null when a live span carries the claim, or none does. */
  readonly recall: string | null;
}

/** The evidence ledger: what is out of sight, in numbers, and the claims not to lose. */
export interface LedgerView {
  /** Number of edits. */
  readonly edits: number;
  /** Number of recovery records. */
  readonly records: number;
  /** Revision up to which a verdict covers the window; null: none does. */
  readonly verified: number | null;
  /** Number of spans out of view. */
  readonly outOfView: number;
  /** The claims that the ledger shows, in the order of its lines. */
  readonly claims: readonly ClaimView[];
  /** Tokens of the claim lines. */
  readonly tokens: number;
}

/** The window as the model sees it: what `show` answers. */
export interface WindowView {
  /** Id of the window. */
  readonly window: string;
  /** Revision of the last event that it takes account of. */
  readonly revision: number;
  /** Number of the epoch, from 1. */
  readonly epoch: number;
  /** Tokens of the live spans and of the ledger's claim lines. */
  readonly tokens: number;
  /** Tokens that it should not exceed; null: the window has no budget. */
  readonly budget: number | null;
  /** Whether `tokens` is above the budget; false without one. */
  readonly overBudget: boolean;
  /** The live spans in order of position. */
  readonly spans: readonly SpanView[];
  /** Where evicted spans were, in order of position. */
  readonly gaps: readonly Gap[];
  /** What is out of sight, and what must not be lost sight of. */
  readonly ledger: LedgerView;
  /** The text to hand to a model. */
  readonly rendered: string;
}

/** The live spans and the gaps between them: what costs less than all of the view. */
export function shownSpans(
  state: WindowState,
  contentOf: ContentOf,
): Pick<WindowView, "spans" | "gaps"> {
  const spans: SpanView[] = [];
  const gaps: Gap[] = [];
  for (const item of windowItems(state)) {
    if (item.kind === "gap") {
      gaps.push(item.gap);
      continue;
    }
    const { span } = item;
    const covers = coveredBy(state, span);
    spans.push({
      spanId: span.id,
      position: span.position,
      origin: span.origin,
      kind: span.kind,
      tokens: span.tokens,
      content: contentOf(span),
      ...(covers !== undefined && { covers }),
    });
  }
  return { spans, gaps };
}

/** `verified`: the revision up to which a verdict covers the window, from the verdict stream. */
export function viewOf(
  state: WindowState,
  contentOf: ContentOf,
  tokenizer: Tokenizer,
  verified: number | null,
): WindowView {
  const { tokens, ledgerTokens, overBudget } = windowTokens(state, tokenizer);
  return {
    window: state.window,
    revision: state.revision,
    epoch: state.epoch,
    tokens,
    budget: state.budget ?? null,
    overBudget,
    ...shownSpans(state, contentOf),
    ledger: {
      edits: state.edits.size,
      records: state.recordCount,
      verified,
      outOfView: state.outOfView,
      claims: ledgerClaims(state).map((entry) => claimView(state, entry)),
      tokens: ledgerTokens,
    },
    rendered: renderWindow(state, contentOf),
  };
}

function claimView(state: WindowState, { claim, contestedBy, recall }: LedgerClaim): ClaimView {
  return {
    claimId: claim.id,
    kind: claim.kind,
    statement: claim.statement,
    quote: claim.quote ?? null,
    standing: standingOf(state, claim),
    by: claim.by,
    contestedBy: contestedBy.map(({ id }) => id),
    recall: recall ?? null,
  };
}
