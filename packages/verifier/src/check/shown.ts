import type { Json, RecordedWindowEvent } from "@palimpsest/core/events";
import { sha256Hex } from "#platform";
import type { Fold } from "../fold/fold.ts";
import { claimLines } from "../render/claim-lines.ts";
import { RENDERER, render } from "../render/render.ts";
import type { RuleInfo } from "../rules/rule.ts";
import {
  shownAt,
  shownDigest,
  shownFirstChanged,
  shownRenderer,
  shownTokens,
} from "../rules/shown.ts";
import type { TokenCounter } from "./tokens.ts";

/** The verifier's own rendering of a revision. */
export interface Shown {
  /** Undefined when the store no longer has the content of a live span. */
  readonly digest: string | undefined;
  /** Undefined for a tokenizer that is not known here. */
  readonly tokens: Tokens | undefined;
}

export interface Tokens {
  readonly tokens: number;
  /** Of the claim lines, each counted by itself. */
  readonly ledgerTokens: number;
}

export function tokensNow(fold: Fold, tokensOf: TokenCounter | undefined): Tokens | undefined {
  if (tokensOf === undefined) return undefined;
  const ledgerTokens = claimLines(fold).reduce((sum, line) => sum + tokensOf(line), 0);
  return { tokens: fold.liveTokens + ledgerTokens, ledgerTokens };
}

/** The rendering of the state as it is. */
export function shownNow(
  fold: Fold,
  contentAt: (revision: number) => Json | undefined,
  tokensOf: TokenCounter | undefined,
): Shown {
  const text = render(fold, contentAt);
  return {
    digest: text === undefined ? undefined : sha256Hex(text),
    tokens: tokensNow(fold, tokensOf),
  };
}

/** Compares what an event says was shown with the verifier's own rendering of that revision. */
export function* checkShown(
  { data, revision }: RecordedWindowEvent & { readonly type: "WindowRendered" },
  shown: Shown | undefined,
  firstChanged: number | null,
): Generator<{ readonly rule: RuleInfo; readonly message: string }> {
  if (data.at !== revision - 1) {
    yield { rule: shownAt, message: `it renders revision ${data.at} and not the one before it` };
    return;
  }
  if (data.renderer !== RENDERER) {
    yield { rule: shownRenderer, message: "its byte format is not known here" };
    return;
  }
  if (shown?.digest !== undefined && shown.digest !== data.digest) {
    yield {
      rule: shownDigest,
      message: `what was handed to the model is not the window at revision ${data.at}`,
    };
  }
  const tokens = shown?.tokens;
  const isCounted =
    tokens === undefined ||
    (tokens.tokens === data.tokens && tokens.ledgerTokens === data.ledgerTokens);
  if (tokens !== undefined && !isCounted) {
    yield {
      rule: shownTokens,
      message:
        `it says ${data.tokens} tokens (${data.ledgerTokens} of claims), the window has ` +
        `${tokens.tokens} (${tokens.ledgerTokens})`,
    };
  }
  if (firstChanged !== data.firstChanged) {
    yield {
      rule: shownFirstChanged,
      message: `it differs from position ${firstChanged} on, not ${data.firstChanged}`,
    };
  }
}
