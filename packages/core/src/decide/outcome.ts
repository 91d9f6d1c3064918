import type { Principal } from "../commands/principals.ts";
import type { Refusal, RefusalCode, RefusalDetails } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { WindowEvent } from "../events/schema.ts";
import type { ContentFact, ContentRef } from "../state/content.ts";
import { contentRef } from "../state/content.ts";
import type { PlacedEvent } from "../state/evolve.ts";
import { evolveAll } from "../state/evolve.ts";
import type { Span, WindowState } from "../state/state.ts";
import type { Tokenizer } from "../view/tokenizer.ts";

/** Who acts, and what a decision may know beside the state. */
export interface Act {
  readonly by: Principal;
  /** The tool call that asked. */
  readonly via?: string;
  /** The library itself sent the command. */
  readonly trusted: boolean;
  /** Nobody asked for the command. */
  readonly optional: boolean;
  readonly tokenizer: Tokenizer;
  /** The state that the append begins with; a batch moves on from it. */
  readonly start: WindowState;
  /** The append ends with this command. */
  readonly isLast: boolean;
  /** By revision: the content facts at hand. What is missing is asked for with `wanted`. */
  readonly facts: ReadonlyMap<number, ContentFact>;
}

/** What deciding one command came to. No events: there was nothing to do. */
export type Outcome =
  | {
      readonly kind: "events";
      readonly events: readonly WindowEvent[];
      /** The state that they lead to, where deciding had to work it out anyway. */
      readonly state?: WindowState;
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
  /** Refused, and the refusal itself is recorded: a settlement. */
  | {
      readonly kind: "logged";
      readonly events: readonly WindowEvent[];
      readonly refusals: readonly Refusal[];
    }
  /** Decide again once the store was asked for this content. */
  | { readonly kind: "wanted"; readonly content: readonly ContentRef[] };

export const NOTHING: Outcome = { kind: "events", events: [] };

export function events(...list: readonly WindowEvent[]): Outcome {
  return { kind: "events", events: list };
}

export function refused(...refusals: readonly Refusal[]): Outcome {
  return { kind: "refused", refusals };
}

export function refuse(code: RefusalCode, message: string, details?: RefusalDetails): Outcome {
  return refused(refusal(code, message, details));
}

/** Sorts spans into those whose content is at hand, those that are lost, and those to ask for. */
export function checkContent(
  state: WindowState,
  spans: readonly Span[],
  facts: ReadonlyMap<number, ContentFact>,
): { readonly wanted: ContentRef[]; readonly lost: { span: Span; problem: string }[] } {
  const wanted: ContentRef[] = [];
  const lost: { span: Span; problem: string }[] = [];
  for (const span of spans) {
    const fact = facts.get(span.contentRevision);
    if (fact === undefined) wanted.push(contentRef(state, span));
    else if (!fact.intact) lost.push({ span, problem: fact.problem });
  }
  return { wanted, lost };
}

/** The state after events that are not appended yet: as evolve, but no append ends here. */
export function advance(
  state: WindowState,
  list: readonly WindowEvent[],
  act: Pick<Act, "by" | "via">,
): WindowState {
  return evolveAll(
    state,
    list.map((event, i) => pending(event, state.revision + 1 + i, act)),
  );
}

/** An event of an append whose extent is not known yet: it neither begins nor ends one. */
export function pending(
  event: WindowEvent,
  revision: number,
  { by, via }: Pick<Act, "by" | "via">,
): PlacedEvent {
  const metadata = {
    by: by.id,
    commandId: "",
    index: 1,
    count: 0,
    ...(via !== undefined && { via }),
  };
  return { ...event, revision, metadata };
}
