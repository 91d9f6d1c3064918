import type { Refusal } from "../commands/refusals.ts";
import type { WindowEventOf } from "../events/schema.ts";
import type { Json } from "../json/json.ts";
import type { Span, WindowState } from "../state/state.ts";
import { renderWindow } from "../view/render.ts";
import { windowTokens } from "../view/tokens.ts";
import type { Shell } from "./shell.ts";
import { tokenizerOf } from "./shell.ts";
import type { WriteRequest } from "./write.ts";
import { decideHere } from "./write.ts";

/** The window before and after a settlement that was not made, for a person to decide on. */
export interface Preview {
  /** The event that would be written; undefined where none would be. */
  readonly settlement: WindowEventOf<"PruningSettled">["data"] | undefined;
  /** Why it would be refused; empty where it would not. */
  readonly refusals: readonly Refusal[];
  /** The window as it is. */
  readonly before: RenderedText;
  /** The window as it would be; the same as `before` where nothing would change. */
  readonly after: RenderedText;
}

/** A window as text and what it costs. */
export interface RenderedText {
  /** The text that a model would be handed. */
  readonly rendered: string;
  /** Tokens of the window, ledger included. */
  readonly tokens: number;
}

/** Decides a command and renders what the window would be; appends nothing. */
export async function previewHere(shell: Shell, request: WriteRequest): Promise<Preview> {
  const { state, log } = shell;
  const decision = await decideHere(shell, request);
  const lookup = await shell.contents.lookup(log, state);
  const before = shown(shell, state, lookup);
  if (decision.kind !== "append") {
    const refusals = decision.kind === "refused" ? decision.refusals : [];
    return { settlement: undefined, refusals, before, after: before };
  }
  const created = new Map<string, Json>();
  let settlement: Preview["settlement"];
  for (const { type, data } of decision.events) {
    if (type === "WindowEdited" && data.creates !== undefined) {
      created.set(data.creates.spanId, data.creates.content);
    }
    if (type === "PruningSettled") settlement = data;
  }
  const contentOf = (span: Span): Json => {
    const content = created.get(span.id);
    return content === undefined ? lookup(span) : content;
  };
  return {
    settlement,
    refusals: (settlement?.refusals ?? []) as readonly Refusal[],
    before,
    after: shown(shell, decision.state, contentOf),
  };
}

function shown(shell: Shell, state: WindowState, contentOf: (span: Span) => Json): RenderedText {
  const { tokens } = windowTokens(state, tokenizerOf(shell));
  return { rendered: renderWindow(state, contentOf), tokens };
}
