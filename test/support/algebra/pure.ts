import type { Json, RecordedWindowEvent, Refusal, WriteCommand } from "@palimpsest/core";
import { canonicalJson, eventId, parsePrincipal, utf8Div4 } from "@palimpsest/core";
import type { DecidedCommand, Step } from "@palimpsest/core/decide";
import { decide } from "@palimpsest/core/decide";
import type { Span, WindowState } from "@palimpsest/core/state";
import { evolveAll, initialState } from "@palimpsest/core/state";
import { sha256 } from "../sha256.ts";
import type { Walk } from "./walk.ts";
import { emptyWalk, headOf, walkOn } from "./walk.ts";

/*
 * A window without a log: state and events are values, so a test branches from any point of a
 * history instead of replaying it. Runs the library's own `decide` and `evolveAll`.
 */

/** A command that `decide` knows. */
export type PlainCommand = Exclude<WriteCommand, { command: "render" }>;
export type PureCommand = PlainCommand | PureBatch;

interface PureBatch {
  readonly command: "batch";
  readonly commandId?: string | undefined;
  readonly by?: string | undefined;
  readonly via?: string | undefined;
  readonly commands: readonly PlainCommand[];
}

export interface PureWindow {
  readonly state: WindowState;
  readonly events: readonly RecordedWindowEvent[];
  /** The same history in the reference. */
  readonly walk: Walk;
}

export type PureAnswer =
  | { readonly outcome: "accepted"; readonly window: PureWindow }
  | { readonly outcome: "refused"; readonly refusals: readonly Refusal[] }
  | { readonly outcome: "nothing-to-do" };

export const WINDOW = "w";
const HOST = "host/local";
const AT = "2025-01-01T00:00:00.000Z";

export const unopened: PureWindow = {
  state: initialState(WINDOW),
  events: [],
  walk: emptyWalk,
};

/** Runs a command. Content at a revision in `lost` cannot be read back. */
export function run(
  window: PureWindow,
  command: PureCommand,
  lost: ReadonlySet<number> = new Set(),
): PureAnswer {
  const steps = stepsOf(command);
  const surroundings = { tokenizer: utf8Div4, facts: new Map() };
  let decision = decide(window.state, steps, surroundings);
  if (decision.kind === "wanted") {
    surroundings.facts = factsOf(window.events, lost);
    decision = decide(window.state, steps, surroundings);
  }
  if (decision.kind === "wanted") throw new Error("content is wanted that no event holds");
  if (decision.kind === "refused") return { outcome: "refused", refusals: decision.refusals };
  if (decision.kind === "nothing-to-do") return { outcome: "nothing-to-do" };
  const commandId = command.commandId ?? `c${window.events.length}`;
  const appended = decision.events.map(({ by, via, ...event }, index, { length: count }) => ({
    ...event,
    id: eventId(WINDOW, by, commandId, index),
    revision: window.events.length + index,
    metadata: {
      by,
      ...(via !== undefined && { via }),
      commandId,
      commandDigest: sha256(canonicalJson(command as object as Json)),
      index,
      count,
      at: AT,
      schemaVersion: 1,
    },
  })) as RecordedWindowEvent[];
  const next: PureWindow = {
    state: evolveAll(window.state, appended),
    events: [...window.events, ...appended],
    walk: walkOn(window.walk, appended),
  };
  return { outcome: "accepted", window: next };
}

/** Runs commands that must all be accepted. */
export function runAll(window: PureWindow, commands: readonly PureCommand[]): PureWindow {
  return commands.reduce((current, command) => {
    const answer = run(current, command);
    if (answer.outcome === "accepted") return answer.window;
    throw new Error(`${JSON.stringify(command)} gave ${JSON.stringify(answer)}`);
  }, window);
}

/** The window after one more command, the same one if it was not accepted. */
export function attempt(window: PureWindow, command: PureCommand | undefined): PureWindow {
  if (command === undefined) return window;
  const answer = run(window, command);
  return answer.outcome === "accepted" ? answer.window : window;
}

/** A window that is open, and nothing else. */
export const opened: PureWindow = runAll(unopened, [{ command: "openWindow" }]);

export function referenceOf({ walk }: PureWindow) {
  return headOf(walk);
}

/** Content of a span, from the events. */
export function contentAt(events: readonly RecordedWindowEvent[]): (span: Span) => Json {
  return ({ contentRevision }) => contentOf(events[contentRevision]) ?? null;
}

function contentOf(event: RecordedWindowEvent | undefined): Json | undefined {
  if (event?.type === "SpanAdmitted") return event.data.content;
  return event?.type === "WindowEdited" ? event.data.creates?.content : undefined;
}

function factsOf(events: readonly RecordedWindowEvent[], lost: ReadonlySet<number>) {
  return new Map(
    events.flatMap((event) => {
      const content = contentOf(event);
      if (content === undefined) return [];
      const fact = lost.has(event.revision)
        ? { intact: false as const, problem: "a test lost it" }
        : { intact: true as const, content };
      return [[event.revision, fact] as const];
    }),
  );
}

function stepsOf(command: PureCommand): Step[] {
  if (command.command !== "batch") return [stepOf(command, undefined)];
  return command.commands.map((item) => stepOf(item, command));
}

function stepOf(command: PlainCommand, batch: PureBatch | undefined): Step {
  const by = parsePrincipal(command.by ?? batch?.by ?? HOST);
  if (by === undefined) throw new Error(`${command.by} is not a principal`);
  const via = command.via ?? batch?.via;
  // What parsing would do: these commands have no field that is undefined.
  const decided = command as DecidedCommand;
  return { command: decided, by, ...(via !== undefined && { via }) };
}
