import type { Json, JsonObject } from "../json/json.ts";
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

export interface SpanView extends JsonObject {
  readonly spanId: string;
  readonly position: number;
  readonly origin: string;
  readonly kind: string;
  readonly tokens: number;
  readonly content: Json;
}

export interface ClaimView extends JsonObject {
  readonly claimId: string;
  readonly kind: string;
  readonly statement: string;
  readonly quote: string | null;
  readonly standing: Standing;
  readonly by: string;
  /** Ids of the claims it is in open conflict with. */
  readonly contestedBy: string[];
  /** The span that a recall brings back; null when a live span carries the claim, or none does. */
  readonly recall: string | null;
}

/** The window as the model sees it: what `show` answers. */
export interface WindowView {
  readonly window: string;
  readonly revision: number;
  readonly epoch: number;
  /** Tokens of the live spans and of the ledger's claim lines. */
  readonly tokens: number;
  /** Null: the window has no budget. */
  readonly budget: number | null;
  readonly overBudget: boolean;
  /** In order of position; `covers` names the spans that a rewrite's product stands for. */
  readonly spans: readonly (SpanView & { readonly covers?: readonly string[] })[];
  readonly gaps: readonly Gap[];
  readonly ledger: {
    readonly edits: number;
    readonly records: number;
    /** Revision up to which a verdict covers the window; null: none does. */
    readonly verified: number | null;
    readonly outOfView: number;
    /** The claims that the ledger shows, in the order of its lines. */
    readonly claims: readonly ClaimView[];
    readonly tokens: number;
  };
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
