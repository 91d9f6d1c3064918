import { sha256Hex } from "#platform";
import type { Accepted, Answer, RefusedSettlement } from "../commands/answers.ts";
import type { ParsedCommand } from "../commands/parse.ts";
import type { Principal } from "../commands/principals.ts";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { DecidedEvent, Decision } from "../decide/decide.ts";
import { Deciding } from "../decide/decide.ts";
import { namedContent } from "../decide/named-content.ts";
import { advance } from "../decide/outcome.ts";
import { forbidden } from "../decide/permissions.ts";
import type { Step } from "../decide/step.ts";
import { windowStream } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { commandDigest } from "../json/digest.ts";
import { isLogError, LogError } from "../log/errors.ts";
import type { EventToAppend, LogReader, StoredEvent } from "../log/port.ts";
import { noteAppend } from "../state/evolve.ts";
import type { WindowState } from "../state/state.ts";
import { answerOf } from "../view/answer.ts";
import { RENDERER, renderWindow } from "../view/render.ts";
import type { Tokenizer } from "../view/tokenizer.ts";
import { utf8Div4 } from "../view/tokenizer.ts";
import { windowTokens } from "../view/tokens.ts";
import { readContent } from "./contents.ts";
import { envelop } from "./envelope.ts";
import type { AppendSoFar, ClaimFinder } from "./finder.ts";
import { bothLeftOut } from "./finder.ts";
import { Found } from "./found.ts";
import { stoppedBy } from "./gate.ts";
import { complete, knownAnswer } from "./known-answer.ts";
import { pauseAfterLostRace } from "./lost-race.ts";
import type { Shell } from "./shell.ts";
import {
  refresh,
  refusedWith,
  tokenizerNamed,
  tokenizerOf,
  tokenizerRefusal,
  unusableWindow,
  wrongRevision,
} from "./shell.ts";

/** A command that writes, ready to be decided. */
export interface WriteRequest {
  readonly parsed: ParsedCommand;
  readonly by: Principal;
  readonly steps: readonly Step[];
  /** Looks for claims in what the steps bring; absent: nobody looks. */
  readonly finder?: ClaimFinder | undefined;
}

/** Races lost after which the log's error is passed on. */
const MAX_ATTEMPTS = 1_000;
/** Unknown outcomes after which it is: a store that answers reads alone will not take the next. */
const MAX_UNKNOWN = 10;

/**
 * Decides, appends, and on a lost race pauses and decides again on the new state. When the outcome
 * of an append is unknown it decides again at once: either the command is in the log by then, or it
 * is not.
 */
export async function write(shell: Shell, request: WriteRequest): Promise<Answer> {
  const { command, json } = request.parsed;
  const commandId = command.commandId ?? crypto.randomUUID();
  const digest = commandDigest(json);
  let found: Found | undefined;
  let unknown = 0;
  let lost = 0;
  for (let attempt = 1; ; attempt += 1) {
    await refresh(shell);
    const uncounted = tokenizerRefusal(shell);
    if (uncounted !== undefined) return refusedWith(uncounted);
    const known = await knownAnswer(shell, commandId, digest);
    if (known !== undefined) return known;
    const stopped = await stoppedBy(shell.gate, shell.state.window, json);
    if (stopped !== undefined) return refusedWith(stopped);
    const misplaced = wrongRevision(shell.state, command.expectedRevision);
    if (misplaced !== undefined) return refusedWith(misplaced);
    // Once, and not for a command that has its answer: a finder may be slow, or cost money.
    found ??= await foundBy(shell, request);
    const decision = await decideHere(shell, request, found);
    if (decision.kind === "refused") return refusedWith(...decision.refusals);
    if (decision.kind === "nothing-to-do") return { outcome: "nothing-to-do" };
    const events = envelop(decision.events, {
      window: shell.state.window,
      commandId,
      commandDigest: digest,
      at: shell.clock().toISOString(),
      first: shell.state.revision + 1,
    });
    try {
      const answer = await append(shell, events, decision.state, command.commandId !== undefined);
      if (found !== undefined) {
        shell.leftOut = bothLeftOut(shell.leftOut, found.leftOut(decision.dropped));
      }
      return answer;
    } catch (error) {
      if (isLogError(error, "append-too-large")) {
        return refusedWith(tooLarge(shell));
      }
      if (isLogError(error, "outcome-unknown")) unknown += 1;
      const isOver = attempt === MAX_ATTEMPTS || unknown === MAX_UNKNOWN;
      if (isOver || !isWorthAnother(error)) throw error;
      if (!isLogError(error, "wrong-expected-revision")) continue;
      await pauseAfterLostRace(lost, shell.waiting);
      lost += 1;
    }
  }
}

/** The stream is not what it was thought to be: another look will tell what happened. */
function isWorthAnother(error: unknown): boolean {
  return (
    isLogError(error, "wrong-expected-revision") ||
    isLogError(error, "outcome-unknown") ||
    isLogError(error, "event-id-conflict")
  );
}

type SettledDecision = Exclude<Decision, { kind: "wanted" }>;

function foundBy(
  shell: Shell,
  { finder, steps }: WriteRequest,
): Promise<Found | undefined> | undefined {
  return finder === undefined ? undefined : Found.by(finder, shell, steps);
}

/** Decides on the state at hand, fetching from the store whatever content the decision wants. */
export async function decideHere(
  shell: Shell,
  request: WriteRequest,
  found?: Found,
): Promise<SettledDecision> {
  const { command } = request.parsed;
  const { steps } = request;
  if (command.command === "render") return decideRender(shell, request);
  const tokenizer = tokenizerFor(shell, steps);
  if ("code" in tokenizer) return { kind: "refused", refusals: [tokenizer] };
  const { log, state } = shell;
  const named = [...namedContent(state, steps), ...(found?.content(state) ?? [])];
  const facts = await readContent(log, state.window, named);
  const deciding = new Deciding(state, steps.length, { tokenizer, facts });
  const append: AppendSoFar = {
    get state() {
      return deciding.state;
    },
  };
  for (const [index, step] of steps.entries()) {
    const refused = await addFetching(shell, deciding, step);
    if (refused !== undefined) return refused;
    for (const optional of found?.behind(index, step, append) ?? []) {
      await addFetching(shell, deciding, optional);
    }
  }
  return deciding.end();
}

/** Adds a step to a decision with all the stored content that it wants. */
async function addFetching(
  { log, state }: Shell,
  deciding: Deciding,
  step: Step,
): Promise<Extract<Decision, { kind: "refused" }> | undefined> {
  for (;;) {
    const stopped = deciding.add(step);
    if (stopped?.kind !== "wanted") return stopped;
    deciding.learn(await readContent(log, state.window, stopped.content));
  }
}

/** The tokenizer of the window, or of the one that the steps open. */
function tokenizerFor(shell: Shell, steps: readonly Step[]): Tokenizer | Refusal {
  const opening = steps.find((step) => step.command.command === "openWindow")?.command;
  const named = opening?.command === "openWindow" ? opening.tokenizer : undefined;
  const name = shell.state.tokenizer || named || utf8Div4.name;
  const problem = `no tokenizer ${JSON.stringify(name)} is known to this process`;
  return tokenizerNamed(shell, name) ?? refusal("invalid-command", problem);
}

async function decideRender(shell: Shell, { by, parsed }: WriteRequest): Promise<SettledDecision> {
  const { state } = shell;
  const denied = parsed.command.command === "render" ? forbidden(parsed.command, by) : undefined;
  if (denied !== undefined) return { kind: "refused", refusals: [denied] };
  const unusable = unusableWindow(shell);
  if (unusable !== undefined) return { kind: "refused", refusals: [unusable] };
  const rendered = renderWindow(state, await shell.contents.lookup(shell.log, state));
  const { tokens, ledgerTokens } = windowTokens(state, tokenizerOf(shell));
  const event: DecidedEvent = {
    type: "WindowRendered",
    data: {
      at: state.revision,
      renderer: RENDERER,
      digest: sha256Hex(rendered),
      tokens,
      ledgerTokens,
      firstChanged: state.firstChanged,
    },
    by: by.id,
    ...(parsed.command.via !== undefined && { via: parsed.command.via }),
  };
  return { kind: "append", events: [event], state: advance(state, [event], { by }), dropped: 0 };
}

function tooLarge({ log }: Shell): Refusal {
  const limit = log.maxAppendBytes;
  const message = `this store takes at most ${limit} bytes in one append: send it in smaller parts`;
  return refusal("content-too-large", message, { limit });
}

async function append(
  shell: Shell,
  events: readonly (RecordedWindowEvent & EventToAppend)[],
  decided: WindowState,
  isNamed: boolean,
): Promise<Accepted | RefusedSettlement> {
  const before = shell.state;
  const stream = windowStream(before.window);
  const expected = before.revision < 0 ? "no-stream" : before.revision;
  const { first, repeated } = await shell.log.append(stream, events, expected);
  // A commandId that was minted here is known to nobody else, and so are the ids that follow.
  const isOurs =
    repeated === "unknown"
      ? !isNamed || (await holdsExactly(shell.log, stream, events))
      : !repeated;
  // The store had events of these ids before this process knew: read them as any other.
  if (!isOurs || first !== before.revision + 1) {
    throw new LogError("outcome-unknown", "the append was in the store already");
  }
  const after = appended(decided, events);
  shell.contents.followOwn(events, before, after);
  shell.state = after;
  return complete(shell, answerOf(after, events, tokenizerOf(shell)), events, after);
}

/** Whether these very events are in the store, and not others under their ids. */
async function holdsExactly(
  log: LogReader,
  stream: string,
  events: readonly (RecordedWindowEvent & EventToAppend)[],
): Promise<boolean> {
  const [from, to] = [events[0]?.revision ?? 0, events.at(-1)?.revision ?? -1];
  const stored: StoredEvent[] = [];
  try {
    for await (const page of log.read(stream, { from, to })) stored.push(...page);
  } catch (cause) {
    const message = "the append is in the store, but who wrote it is unknown";
    throw new LogError("outcome-unknown", message, { cause });
  }
  const said = (event: EventToAppend) => JSON.stringify([event.id, event.data, event.metadata]);
  return (
    stored.length === events.length &&
    events.every((event, index) => said(event) === said(stored[index] ?? event))
  );
}

/** The decided state once its append is in the log: the same as folding the events themselves. */
function appended(decided: WindowState, events: readonly RecordedWindowEvent[]): WindowState {
  const state = { ...decided };
  for (const { revision, metadata } of events) noteAppend(state, revision, metadata);
  return state;
}
