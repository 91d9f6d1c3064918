import { contesting } from "../../../claims/src/contesting.ts";
import { KnownClaims } from "../../../claims/src/known-claims.ts";
import type { LeftOut } from "../../../claims/src/extraction.ts";
import { bothLeftOut, NOTHING_EXTRACTED } from "../../../claims/src/extraction.ts";
import type { Refusal } from "../commands/refusals.ts";
import { windowNotOpen } from "../commands/refusals.ts";
import type { WindowEvent } from "../events/schema.ts";
import { brokenBonds } from "./bonds.ts";
import { decideAssert, decideConflict, decideObserve, decideRetract } from "./claims.ts";
import { decideEvict, decideRewrite } from "./edits.ts";
import { decideAuthor, decideOpenEpoch, decidePropose } from "./policies.ts";
import { decideRewind } from "./rewind.ts";
import { decideSettle } from "./settle.ts";
import { decideAdmit, decideMarkRead, decideOpen, decideRecall } from "./spans.ts";
import { decideRedo, decideUndo } from "./undo.ts";
import type { Draft } from "../state/draft.ts";
import { mutableDraft, settle } from "../state/draft.ts";
import { fold } from "../state/evolve.ts";
import type { Extracted } from "../../../claims/src/extracted-claims.ts";
import { extractedEvents } from "../../../claims/src/extracted-claims.ts";
import { KnownInAppend } from "../../../claims/src/window-claims.ts";
import type { Act, ContentFact, ContentRef, Outcome } from "./outcome.ts";
import { advance, pending } from "./outcome.ts";
import { overtakenEvents } from "../../../claims/src/overtaken-reads.ts";
import { forbidden } from "./permissions.ts";
import type { WindowState } from "../state/state.ts";
import type { DecidedCommand, Step } from "./step.ts";
import type { Tokenizer } from "../view/tokenizer.ts";
import { windowTokens } from "../view/tokens.ts";

/** An event of a decision and who caused it. */
export type DecidedEvent = WindowEvent & { readonly by: string; readonly via?: string };

export type Decision =
  | {
      readonly kind: "append";
      readonly events: readonly DecidedEvent[];
      readonly state: WindowState;
      /** What extraction found beyond its limits. */
      readonly leftOut?: LeftOut;
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
  | { readonly kind: "wanted"; readonly content: readonly ContentRef[] }
  | { readonly kind: "nothing-to-do" };

/** What a decision may know beside the state. */
export interface Surroundings {
  readonly tokenizer: Tokenizer;
  readonly facts: ReadonlyMap<number, ContentFact>;
  /** The claims of the state, which extracted ones are set beside. Absent: none. */
  readonly known?: KnownClaims;
}

/**
 * Decides the commands of one append: each on the state the earlier ones left, all or nothing.
 * Pure: no clock, no randomness, no I/O; content it must have seen is asked for with `wanted`.
 */
export function decide(
  state: WindowState,
  steps: readonly Step[],
  { tokenizer, facts, known = new KnownClaims() }: Surroundings,
): Decision {
  const claims = new KnownInAppend(known, state);
  const decided: DecidedEvent[] = [];
  const contents = new Map(facts);
  const progress = new Progress(state, steps.length);
  let leftOut = NOTHING_EXTRACTED.leftOut;
  for (const [index, step] of steps.entries()) {
    const { command, by, via, trusted = false } = step;
    const more = via === undefined ? {} : { via };
    const isLast = index === steps.length - 1;
    const act: Act = { by, trusted, tokenizer, start: state, isLast, facts: contents, ...more };
    const current = progress.before(command);
    const outcome = decideOne(current, command, act);
    if (outcome.kind === "wanted") return outcome;
    // A refused settlement is recorded, unless it stands in a batch: that is all or nothing.
    const inBatch = steps.length > 1;
    if (outcome.kind === "refused" || (outcome.kind === "logged" && inBatch)) {
      return { kind: "refused", refusals: placed(outcome.refusals, index, steps.length) };
    }
    learnContent(contents, current, outcome.events);
    progress.add(outcome.events, act, outcome.kind === "events" ? outcome.state : undefined);
    const extracted = extractedFrom(progress, step, outcome.events, claims, act);
    leftOut = bothLeftOut(leftOut, extracted.leftOut);
    const overtaken = overtakenBy(progress, step, claims, act);
    if (overtaken.kind === "wanted") return overtaken;
    for (const event of [...outcome.events, ...extracted.events, ...overtaken.events]) {
      decided.push(causedBy(event, step));
    }
  }
  const current = progress.settled();
  if (decided.length === 0) return { kind: "nothing-to-do" };
  const broken = brokenBonds(state, current, touchedSince(state, current));
  if (broken.length > 0) return { kind: "refused", refusals: broken };
  // The answer tells what the window costs: a tokenizer that cannot count it fails before that.
  windowTokens(current, tokenizer);
  return { kind: "append", events: decided, state: current, leftOut };
}

function causedBy({ type, data }: WindowEvent, { by, via }: Step): DecidedEvent {
  const cause = via === undefined ? { type, data, by: by.id } : { type, data, by: by.id, via };
  return cause as DecidedEvent;
}

/** The claims of a span just admitted, in the same append. */
function extractedFrom(
  progress: Progress,
  { span, extraction }: Step,
  [admitted]: readonly WindowEvent[],
  known: KnownInAppend,
  act: Act,
): Extracted {
  if (span === undefined || extraction === undefined || admitted?.type !== "SpanAdmitted")
    return { events: [], leftOut: NOTHING_EXTRACTED.leftOut };
  const found = contesting(known.upTo(progress.current), span, extraction);
  if (found.claims.length === 0) return { events: [], leftOut: found.leftOut };
  const about = { spanId: admitted.data.spanId, source: span.source, known };
  const extracted = extractedEvents(progress.settled(), about, found, act);
  progress.add(extracted.events, act);
  return extracted;
}

/** What was read before and may no longer hold, by what the command brought. */
function overtakenBy(progress: Progress, { overtaken }: Step, known: KnownInAppend, act: Act) {
  if (overtaken === undefined) return { kind: "events", events: [] } as const;
  const claims = known.upTo(progress.current);
  const found = overtakenEvents(progress.settled(), overtaken, claims, act);
  if (found.kind === "events") progress.add(found.events, act);
  return found;
}

/** Batches below this size are not worth a mutable draft. */
const LONG_BATCH = 8;

/**
 * The state between the commands of one append. A run of admissions in a long batch is folded in
 * place: they only look at the state, so none of them can keep hold of what is about to change.
 */
class Progress {
  readonly #long: boolean;
  #state: WindowState;
  #draft: Draft | undefined;

  constructor(state: WindowState, steps: number) {
    this.#state = state;
    this.#long = steps >= LONG_BATCH;
  }

  /** The state to decide `command` on. */
  before({ command }: DecidedCommand): WindowState {
    if (command !== "admitSpan" || !this.#long) return this.settled();
    this.#draft ??= mutableDraft(this.#state);
    return this.#draft;
  }

  /** `known`: the state that the events lead to, where it has been worked out. */
  add(list: readonly WindowEvent[], act: Act, known?: WindowState): void {
    const draft = this.#draft;
    if (known !== undefined) this.#state = known;
    else if (draft === undefined) this.#state = advance(this.#state, list, act);
    else for (const event of list) fold(draft, pending(event, draft.revision + 1, act));
  }

  /** The claims by now. */
  get current(): Pick<WindowState, "claims" | "claimIndex" | "spans"> {
    return this.#draft ?? this.#state;
  }

  settled(): WindowState {
    if (this.#draft !== undefined) this.#state = settle(this.#draft);
    this.#draft = undefined;
    return this.#state;
  }
}

function decideOne(state: WindowState, command: DecidedCommand, act: Act): Outcome {
  const denied = forbidden(command, act.by);
  if (denied !== undefined) return { kind: "refused", refusals: [denied] };
  if (command.command === "openWindow") return decideOpen(state, command, act);
  if (state.revision < 0) {
    return { kind: "refused", refusals: [windowNotOpen()] };
  }
  switch (command.command) {
    case "admitSpan":
      return decideAdmit(state, command, act);
    case "assertClaim":
      return decideAssert(state, command, act);
    case "retractClaim":
      return decideRetract(state, command, act);
    case "noteConflict":
      return decideConflict(state, command, act);
    case "observeSource":
      return decideObserve(state, command);
    case "authorPolicy":
      return decideAuthor(state, command, act);
    case "openEpoch":
      return decideOpenEpoch(state, command, act);
    case "proposePruning":
      return decidePropose(state, command, act);
    case "settlePruning":
      return decideSettle(state, command, act);
    case "markRead":
      return decideMarkRead(state, command);
    case "recall":
      return decideRecall(state, command, act);
    case "rewrite":
      return decideRewrite(state, command, act);
    case "evict":
      return decideEvict(state, command, act);
    case "undo":
      return decideUndo(state, command, act);
    case "redo":
      return decideRedo(state, command, act);
    case "rewind":
      return decideRewind(state, command, act);
  }
}

/** Content that this very append brings needs no reading back: its digest was just taken. */
function learnContent(
  known: Map<number, ContentFact>,
  state: WindowState,
  list: readonly WindowEvent[],
): void {
  for (const [i, { type, data }] of list.entries()) {
    const content =
      type === "SpanAdmitted"
        ? data.content
        : type === "WindowEdited"
          ? data.creates?.content
          : undefined;
    if (content !== undefined) known.set(state.revision + 1 + i, { intact: true, content });
  }
}

/** Indices of the spans that were born or whose marks were written between two states. */
function* touchedSince(before: WindowState, after: WindowState): Generator<number> {
  for (let i = before.spans.size; i < after.spans.size; i += 1) yield i;
  for (let i = before.edits.size; i < after.edits.size; i += 1) {
    for (const { span } of after.edits.get(i)?.writes ?? []) yield span;
  }
}

/** In a batch, a refusal says which command it is about (from 0). */
function placed(refusals: readonly Refusal[], step: number, steps: number): Refusal[] {
  return refusals.map((one) =>
    steps === 1 ? one : { ...one, message: `commands[${step}]: ${one.message}`, step },
  );
}
