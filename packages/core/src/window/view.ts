import type { Json, JsonObject } from "../json/json.ts";
import type { Gap } from "../render/gaps.ts";
import { coveredBy, windowItems } from "../render/gaps.ts";
import type { ContentOf } from "../render/render.ts";
import { renderWindow } from "../render/render.ts";
import type { WindowState } from "./state.ts";

export interface SpanView extends JsonObject {
  readonly spanId: string;
  readonly position: number;
  readonly origin: string;
  readonly kind: string;
  readonly tokens: number;
  readonly content: Json;
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
    readonly claims: readonly JsonObject[];
    readonly tokens: number;
  };
  readonly rendered: string;
}

export function viewOf(state: WindowState, contentOf: ContentOf): WindowView {
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
  return {
    window: state.window,
    revision: state.revision,
    epoch: state.epoch,
    tokens: state.liveTokens,
    budget: state.budget ?? null,
    overBudget: isOverBudget(state),
    spans,
    gaps,
    ledger: {
      edits: state.edits.size,
      records: state.recordCount,
      verified: null,
      outOfView: state.outOfView,
      claims: [],
      tokens: 0,
    },
    rendered: renderWindow(state, contentOf),
  };
}

export function isOverBudget(state: WindowState): boolean {
  return state.budget !== undefined && state.liveTokens > state.budget;
}
