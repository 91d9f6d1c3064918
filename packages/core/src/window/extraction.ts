import { sha256Hex } from "#platform";
import { findClaim } from "../claims/claims.ts";
import type { KnownClaims } from "../claims/extract/cross.ts";
import { beside } from "../claims/extract/cross.ts";
import type { ClaimExtractor, Extraction, ExtractSpan } from "../claims/extract/port.ts";
import { NOTHING_EXTRACTED } from "../claims/extract/port.ts";
import { openConflicts } from "../claims/protection.ts";
import type { WindowEvent } from "../events/schema.ts";
import { contentText } from "../json/digest.ts";
import type { Json } from "../json/json.ts";
import { decideAssert, decideConflict } from "./decide-claim.ts";
import type { Act } from "./outcome.ts";
import { advance } from "./outcome.ts";
import type { Shell } from "./shell.ts";
import type { WindowState } from "./state.ts";
import type { DecidedCommand, Step } from "./step.ts";

/** Whose words are worth a claim: not the model's own, nor what the host wrote about it. */
const SPEAKERS = new Set(["user", "system", "tool"]);

/** The steps of an append, with what an extractor found in the spans they admit. */
export async function withExtractions(
  shell: Shell,
  {
    steps,
    extractor,
  }: { readonly steps: readonly Step[]; readonly extractor?: ClaimExtractor | undefined },
): Promise<readonly Step[]> {
  if (extractor === undefined) return steps;
  return Promise.all(
    steps.map(async (step) => {
      const span = extractable(shell, step.command);
      if (span === undefined) return step;
      const extraction = await found(extractor, span);
      return extraction.claims.length === 0 ? step : { ...step, extraction };
    }),
  );
}

/** An extractor is a convenience: when it fails, what it was asked about is admitted anyway. */
async function found(extractor: ClaimExtractor, span: ExtractSpan): Promise<Extraction> {
  try {
    return await extractor.extract(span);
  } catch {
    return NOTHING_EXTRACTED;
  }
}

function extractable(shell: Shell, command: DecidedCommand): ExtractSpan | undefined {
  if (command.command !== "admitSpan" || !SPEAKERS.has(command.origin)) return undefined;
  const { origin, kind = "text", content, tool } = command;
  const text = contentText(content);
  const source = command.source?.uri ?? fileOfCall(shell, command.call);
  return {
    // An id that is minted later is not known yet; what the text says tells it from others.
    id: command.spanId ?? sha256Hex(text).slice(0, 16),
    origin,
    kind,
    text,
    ...(tool !== undefined && { tool: tool.name }),
    ...(source !== undefined && { source }),
  };
}

/** Arguments by which tools name the one thing they look at. */
const PATH_ARGUMENTS = ["file_path", "path", "filename", "file", "uri", "url"];

/** What a tool's result is about, when the arguments of its call, still in view, say so. */
function fileOfCall({ state, contents }: Shell, call: string | undefined): string | undefined {
  const index = call === undefined ? undefined : state.calls.get(call)?.calls[0];
  const content = index === undefined ? undefined : contents.peek(index);
  const fields = fieldsOf(fieldsOf(content)?.arguments) ?? fieldsOf(content);
  const name = PATH_ARGUMENTS.find((one) => typeof fields?.[one] === "string");
  return name === undefined ? undefined : String(fields?.[name]);
}

function fieldsOf(value: Json | undefined): Readonly<Record<string, Json>> | undefined {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  return isObject ? (value as Readonly<Record<string, Json>>) : undefined;
}

/** Most conflicts that one span brings in without anybody asking, whatever its extractor says. */
const MAX_CONFLICTS = 20;

/**
 * The events that an extraction adds behind its admission. `state` has the span already, `known`
 * the claims of `state`. What would be refused (a claim once retracted, words that are not there)
 * is left out: nobody asked for it, and the admission must not fail over it.
 */
export function extractedEvents(
  state: WindowState,
  spanId: string,
  extracted: Extraction,
  known: KnownClaims,
  act: Act,
): WindowEvent[] {
  const extraction = beside(known, extracted);
  const list: WindowEvent[] = [];
  let current = state;
  const ids: (string | undefined)[] = [];
  let contested = 0;
  for (const claim of extraction.claims) {
    const outcome = decideAssert(current, { ...claim, carrier: spanId, extracted: true }, act);
    const event = outcome.kind === "events" ? outcome.events[0] : undefined;
    const next = event === undefined ? current : advance(current, [event], act);
    const id = event?.type === "ClaimAsserted" ? event.data.claimId : "";
    const found = findClaim(next, id);
    const more = found === undefined ? 0 : openConflicts(next, found).length;
    const fits = event !== undefined && (more === 0 || contested + more <= MAX_CONFLICTS);
    ids.push(fits ? id : undefined);
    if (!fits) continue;
    contested += more;
    list.push(event);
    current = next;
  }
  const conflicts = [
    ...extraction.conflicts.map(({ a, b, note }) => ({ one: ids[a], other: ids[b], note })),
    ...extraction.cross.map(({ claim, known, note }) => ({ one: ids[claim], other: known, note })),
  ];
  for (const { one, other, note } of conflicts) {
    if (one === undefined || other === undefined || contested >= MAX_CONFLICTS) continue;
    const outcome = decideConflict(
      current,
      { command: "noteConflict", a: one, b: other, note },
      act,
    );
    if (outcome.kind !== "events") continue;
    contested += outcome.events.length;
    list.push(...outcome.events);
    current = advance(current, outcome.events, act);
  }
  return list;
}
