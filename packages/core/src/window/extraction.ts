import { sha256Hex } from "#platform";
import type { ClaimExtractor, Extraction, ExtractSpan } from "../claims/extract/port.ts";
import type { WindowEvent } from "../events/schema.ts";
import { contentText } from "../json/digest.ts";
import { decideAssert, decideConflict } from "./decide-claim.ts";
import type { Act } from "./outcome.ts";
import { advance } from "./outcome.ts";
import type { WindowState } from "./state.ts";
import type { DecidedCommand, Step } from "./step.ts";

/** Whose words are worth a claim: not the model's own, nor what the host wrote about it. */
const SPEAKERS = new Set(["user", "system", "tool"]);

/** The steps of an append, with what an extractor found in the spans they admit. */
export async function withExtractions(
  steps: readonly Step[],
  extractor: ClaimExtractor,
): Promise<Step[]> {
  return Promise.all(
    steps.map(async (step) => {
      const span = extractable(step.command);
      if (span === undefined) return step;
      const extraction = await extractor.extract(span);
      return extraction.claims.length === 0 ? step : { ...step, extraction };
    }),
  );
}

function extractable(command: DecidedCommand): ExtractSpan | undefined {
  if (command.command !== "admitSpan" || !SPEAKERS.has(command.origin)) return undefined;
  const { origin, kind = "text", content, tool, source } = command;
  const text = contentText(content);
  return {
    // An id that is minted later is not known yet; what the text says tells it from others.
    id: command.spanId ?? sha256Hex(text).slice(0, 16),
    origin,
    kind,
    text,
    ...(tool !== undefined && { tool: tool.name }),
    ...(source !== undefined && { source: source.uri }),
  };
}

/**
 * The events that an extraction adds behind its admission. `state` has the span already. What
 * would be refused (a claim once retracted, words that are not there) is left out: nobody asked
 * for it, and the admission must not fail over it.
 */
export function extractedEvents(
  state: WindowState,
  spanId: string,
  extraction: Extraction,
  act: Act,
): WindowEvent[] {
  const list: WindowEvent[] = [];
  let current = state;
  const ids: (string | undefined)[] = [];
  for (const claim of extraction.claims) {
    const outcome = decideAssert(current, { ...claim, carrier: spanId, extracted: true }, act);
    const event = outcome.kind === "events" ? outcome.events[0] : undefined;
    ids.push(event?.type === "ClaimAsserted" ? event.data.claimId : undefined);
    if (event === undefined) continue;
    list.push(event);
    current = advance(current, [event], act);
  }
  for (const { a, b, note } of extraction.conflicts) {
    const [one, other] = [ids[a], ids[b]];
    if (one === undefined || other === undefined) continue;
    const outcome = decideConflict(
      current,
      { command: "noteConflict", a: one, b: other, note },
      act,
    );
    if (outcome.kind !== "events") continue;
    list.push(...outcome.events);
    current = advance(current, outcome.events, act);
  }
  return list;
}
