import type { Refusal } from "../commands/refusals.ts";
import type { WindowEvent } from "../events/schema.ts";
import type { ContentFact, ContentRef } from "../state/content.ts";
import type { WindowState } from "../state/state.ts";
import type { Tokenizer } from "../view/tokenizer.ts";
import { windowTokens } from "../view/tokens.ts";
import { brokenBonds } from "./bonds.ts";
import { decideCommand } from "./command.ts";
import type { Act } from "./outcome.ts";
import { Progress } from "./progress.ts";
import type { Step } from "./step.ts";

/** An event of a decision and who caused it. */
export type DecidedEvent = WindowEvent & { readonly by: string; readonly via?: string };

export type Decision =
  | {
      readonly kind: "append";
      readonly events: readonly DecidedEvent[];
      /** The state that the events lead to, before the append ends. */
      readonly state: WindowState;
      /** Number of optional steps that were dropped, since they would have been refused. */
      readonly dropped: number;
    }
  | { readonly kind: "refused"; readonly refusals: readonly Refusal[] }
  /** Decide again once the store was asked for this content. */
  | { readonly kind: "wanted"; readonly content: readonly ContentRef[] }
  | { readonly kind: "nothing-to-do" };

/** What a decision may know beside the state. */
export interface Surroundings {
  readonly tokenizer: Tokenizer;
  /** What the store gave back, by revision. */
  readonly facts: ReadonlyMap<number, ContentFact>;
}

/**
 * Decides the commands of one append: each on the state the earlier ones left, all or nothing.
 * Pure: no clock, no randomness, no I/O; content it must have seen is asked for with `wanted`.
 */
export function decide(
  state: WindowState,
  steps: readonly Step[],
  surroundings: Surroundings,
): Decision {
  const commands = steps.filter(({ optional }) => optional !== true).length;
  const deciding = new Deciding(state, commands, surroundings);
  for (const step of steps) {
    const stopped = deciding.add(step);
    if (stopped !== undefined) return stopped;
  }
  return deciding.end();
}

/** Why a step was not added: it is refused, or may be added again with the content it wants. */
export type Stopped = Extract<Decision, { kind: "refused" | "wanted" }>;

/** One append that is being decided, step by step: `add` each in order, then `end`. */
export class Deciding {
  readonly #start: WindowState;
  /** Number of steps that are not optional. */
  readonly #commands: number;
  readonly #tokenizer: Tokenizer;
  readonly #facts: Map<number, ContentFact>;
  readonly #progress: Progress;
  readonly #events: DecidedEvent[] = [];
  #added = 0;
  #dropped = 0;

  constructor(start: WindowState, commands: number, { tokenizer, facts }: Surroundings) {
    this.#start = start;
    this.#commands = commands;
    this.#tokenizer = tokenizer;
    this.#facts = new Map(facts);
    this.#progress = new Progress(start, commands);
  }

  /** The state that the steps added so far lead to. */
  get state(): WindowState {
    return this.#progress.settled();
  }

  /** Takes note of what the store gave back for content that was wanted. */
  learn(facts: ReadonlyMap<number, ContentFact>): void {
    for (const [revision, fact] of facts) this.#facts.set(revision, fact);
  }

  /** Undefined when the step was added, or was optional and was dropped. */
  add(step: Step): Stopped | undefined {
    const { command, optional = false } = step;
    const act = this.#actOf(step);
    const current = this.#progress.before(command);
    const outcome = decideCommand(current, command, act);
    if (outcome.kind === "wanted") return outcome;
    // A refused settlement is recorded, unless it stands in a batch: that is all or nothing.
    const inBatch = this.#commands > 1;
    if (outcome.kind === "refused" || (outcome.kind === "logged" && (inBatch || optional))) {
      if (optional) {
        this.#dropped += 1;
        return undefined;
      }
      return { kind: "refused", refusals: placed(outcome.refusals, this.#added, this.#commands) };
    }
    this.#learnOwn(current.revision + 1, outcome.events);
    this.#progress.add(outcome.events, act, outcome.kind === "events" ? outcome.state : undefined);
    for (const event of outcome.events) this.#events.push(causedBy(event, step));
    if (!optional) this.#added += 1;
    return undefined;
  }

  end(): Exclude<Decision, { kind: "wanted" }> {
    const state = this.#progress.settled();
    if (this.#events.length === 0) return { kind: "nothing-to-do" };
    const broken = brokenBonds(this.#start, state, touchedSince(this.#start, state));
    if (broken.length > 0) return { kind: "refused", refusals: broken };
    // The answer tells what the window costs: a tokenizer that cannot count it fails before that.
    windowTokens(state, this.#tokenizer);
    return { kind: "append", events: this.#events, state, dropped: this.#dropped };
  }

  #actOf({ by, via, trusted = false, optional = false }: Step): Act {
    const done = optional ? this.#added : this.#added + 1;
    return {
      by,
      ...(via !== undefined && { via }),
      trusted,
      optional,
      tokenizer: this.#tokenizer,
      start: this.#start,
      isLast: done === this.#commands,
      facts: this.#facts,
    };
  }

  /** Content that this very append brings needs no reading back: its digest was just taken. */
  #learnOwn(first: number, list: readonly WindowEvent[]): void {
    for (const [i, event] of list.entries()) {
      const content = contentOf(event);
      if (content !== undefined) this.#facts.set(first + i, { intact: true, content });
    }
  }
}

function contentOf({ type, data }: WindowEvent) {
  if (type === "SpanAdmitted") return data.content;
  return type === "WindowEdited" ? data.creates?.content : undefined;
}

function causedBy({ type, data }: WindowEvent, { by, via }: Step): DecidedEvent {
  const cause = via === undefined ? { type, data, by: by.id } : { type, data, by: by.id, via };
  return cause as DecidedEvent;
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
