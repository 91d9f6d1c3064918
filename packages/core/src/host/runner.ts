import type { Answer, Refused } from "../commands/answers.ts";
import type { ParsedCommand } from "../commands/parse.ts";
import { isRefusal, parseBatchItem, parseCommand } from "../commands/parse.ts";
import type { Plan } from "../commands/plan.ts";
import type { Principal } from "../commands/principals.ts";
import { parsePrincipal } from "../commands/principals.ts";
import type { Refusal } from "../commands/refusals.ts";
import { refusal } from "../commands/refusals.ts";
import type { Command, CommandOf, ReadCommand } from "../commands/schema.ts";
import type { DecidedCommand, Step } from "../decide/step.ts";
import { idSchema } from "../events/ids.ts";
import type { Json } from "../json/json.ts";
import type { EventLog } from "../log/port.ts";
import { findEdit, initialState } from "../state/state.ts";
import { planOf } from "../view/plan.ts";
import type { Tokenizer } from "../view/tokenizer.ts";
import { checked, utf8Div4 } from "../view/tokenizer.ts";
import { LiveContents } from "./contents.ts";
import { Coverage } from "./coverage.ts";
import type { ClaimFinder, LeftOut } from "./finder.ts";
import { NOTHING_LEFT_OUT } from "./finder.ts";
import { finderWindow } from "./found.ts";
import type { CommandGate } from "./gate.ts";
import type { Waiting } from "./lost-race.ts";
import { realWaiting } from "./lost-race.ts";
import type { Preview } from "./preview.ts";
import { previewHere } from "./preview.ts";
import type { PruneOptions } from "./prune.ts";
import { prune } from "./prune.ts";
import type { ReadAnswer } from "./read.ts";
import { answerRead, isRead } from "./read.ts";
import type { Shell } from "./shell.ts";
import { refresh, refusedWith, tokenizerOf, tokenizerRefusal, wrongRevision } from "./shell.ts";
import type { WriteRequest } from "./write.ts";
import { decideHere, write } from "./write.ts";

/** What a window needs to know of the process that it runs in. */
export interface WindowOptions {
  /**
   * Whom this process vouches for, `party/name`; the first is the default `by`. A command that
   * names anyone else is `permission-denied`. Default: `host/local`.
   */
  readonly principals?: readonly string[];
  /** Tokenizers known beside the default one; a window names the one it counts with. */
  readonly tokenizers?: readonly Tokenizer[];
  /**
   * Finds claims in what `admit`, `batch` and `observe` bring; `claimFinder()` of
   * `@palimpsest/claims` is one. Default: none. `execute` never asks it: it does what the command
   * says and no more.
   */
  readonly finder?: ClaimFinder;
  /**
   * Milliseconds that the finder may look at one append. After that the append goes through
   * without what it would have found, which is counted in `leftOut.failures`. Default: 30,000.
   */
  readonly finderTimeoutMs?: number;
  /** Asked before a command that writes is decided; see the verifier's `verdictGate`. */
  readonly gate?: CommandGate;
  /** For `at` in metadata. Default: the system clock. */
  readonly clock?: () => Date;
  /**
   * How to wait before a command is decided again, when another writer appended first: at random up
   * to 4 ms, then up to twice as long each time, at most 100 ms. Default: the system's timers.
   */
  readonly waiting?: Waiting;
}

/**
 * Runs commands against one window, one after another. Total for bad input: whatever is sent gets
 * an answer; only failures of the log itself reject (`LogError`, `EventNotUnderstoodError`), and a
 * tokenizer that gives no whole number (`TypeError`).
 */
export class CommandRunner {
  readonly #shell: Shell;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(log: EventLog, window: string, options: WindowOptions = {}) {
    if (!idSchema.safeParse(window).success) {
      throw new TypeError(
        `${JSON.stringify(window)} is not a window id: use [A-Za-z0-9_.:-]{1,128}`,
      );
    }
    const shell: Omit<Shell, "finderWindow"> = {
      log,
      principals: (options.principals ?? ["host/local"]).map(vouched),
      tokenizers: [utf8Div4, ...(options.tokenizers ?? [])].map(checked),
      finder: options.finder,
      finderTimeoutMs: options.finderTimeoutMs ?? 30_000,
      gate: options.gate,
      clock: options.clock ?? (() => new Date()),
      waiting: options.waiting ?? realWaiting,
      contents: new LiveContents(),
      coverage: new Coverage(),
      leftOut: NOTHING_LEFT_OUT,
      state: initialState(window),
    };
    this.#shell = Object.assign(shell, { finderWindow: finderWindow(shell) });
  }

  /** Runs one command, a JSON value in the form of design §8, after those sent before it. */
  execute(command: unknown): Promise<Answer | ReadAnswer> {
    return this.#execute(command, false);
  }

  /** As `execute`, and asserts what the finder finds in what the command brings, in one append. */
  executeFinding(command: unknown): Promise<Answer | ReadAnswer> {
    return this.#execute(command, true);
  }

  #execute(command: unknown, finding: boolean): Promise<Answer | ReadAnswer> {
    // Parsed at once: what the caller does to the object later must not matter.
    const parsed = parseCommand(command);
    return this.#enqueue((shell) =>
      isRefusal(parsed) ? Promise.resolve(refusedWith(parsed)) : run(shell, parsed, finding),
    );
  }

  /** Decides a command that writes and says what it would do; appends nothing. */
  plan(command: unknown): Promise<Plan | Refused> {
    return this.#rehearsed(command, planHere);
  }

  /** Decides a command and shows the window before and after it; appends nothing. */
  preview(command: unknown): Promise<Preview | Refused> {
    return this.#rehearsed(command, previewHere);
  }

  #rehearsed<T>(
    command: unknown,
    look: (shell: Shell, request: WriteRequest) => Promise<T>,
  ): Promise<T | Refused> {
    const parsed = parseCommand(command);
    return this.#enqueue(async (shell) => {
      const request = await rehearse(shell, parsed);
      return "outcome" in request ? request : look(shell, request);
    });
  }

  get leftOut(): LeftOut {
    return this.#shell.leftOut;
  }

  /** Proposes what to prune and settles it, as two principals of the library's own. */
  prune(options: PruneOptions): Promise<Answer> {
    return this.#enqueue((shell) => prune(shell, options));
  }

  /** Runs `task` on the shell when its turn comes; a failure does not stop the queue. */
  #enqueue<T>(task: (shell: Shell) => Promise<T>): Promise<T> {
    const turn = this.#queue.then(() => task(this.#shell));
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function vouched(name: string): Principal {
  const principal = parsePrincipal(name);
  if (principal === undefined) {
    throw new TypeError(
      `${JSON.stringify(name)} is not a principal: use party/name, as in host/cli`,
    );
  }
  return principal;
}

async function run(
  shell: Shell,
  parsed: ParsedCommand,
  finding: boolean,
): Promise<Answer | ReadAnswer> {
  const { command } = parsed;
  const by = whoActs(shell, command.by);
  if (isRefusal(by)) return refusedWith(by);
  if (isRead(command)) return answerRead(shell, command);
  const steps = stepsOf(shell, command, by);
  if (isRefusal(steps)) return refusedWith(steps);
  const finder = finding ? shell.finder : undefined;
  return write(shell, { parsed, by, steps, finder });
}

/** Reads a command that is only looked at, and brings the state up to date. */
async function rehearse(
  shell: Shell,
  parsed: ParsedCommand | Refusal,
): Promise<WriteRequest | Refused> {
  if (isRefusal(parsed)) return refusedWith(parsed);
  const { command } = parsed;
  const by = whoActs(shell, command.by);
  if (isRefusal(by)) return refusedWith(by);
  if (isRead(command)) {
    return refusedWith(
      refusal("invalid-command", `${command.command} writes nothing, so it has no plan`),
    );
  }
  const steps = stepsOf(shell, command, by);
  if (isRefusal(steps)) return refusedWith(steps);
  await refresh(shell);
  const problem = tokenizerRefusal(shell) ?? wrongRevision(shell.state, command.expectedRevision);
  return problem === undefined ? { parsed, by, steps } : refusedWith(problem);
}

async function planHere(shell: Shell, request: WriteRequest): Promise<Plan | Refused> {
  const { state } = shell;
  const { command } = request.parsed;
  const decision = await decideHere(shell, request);
  if (decision.kind === "refused") return refusedWith(...decision.refusals);
  const after = decision.kind === "append" ? decision.state : state;
  const target = command.command === "undo" ? findEdit(state, command.editId) : undefined;
  return planOf(state, after, tokenizerOf(shell), target);
}

/** The commands of one append, each with who sent it; `render` has none, the shell decides it. */
function stepsOf(
  shell: Shell,
  command: Exclude<Command, ReadCommand>,
  by: Principal,
): Step[] | Refusal {
  if (command.command === "render") return [];
  if (command.command !== "batch") return [stepOf(command, by, command.via)];
  return batchSteps(shell, command, by);
}

function batchSteps(shell: Shell, batch: CommandOf<"batch">, by: Principal): Step[] | Refusal {
  const steps: Step[] = [];
  for (const [index, item] of batch.commands.entries()) {
    const command = parseBatchItem(item as Json, index);
    if (isRefusal(command)) return command;
    const who = command.by === undefined ? by : whoActs(shell, command.by);
    if (isRefusal(who)) return { ...who, message: `commands[${index}]: ${who.message}` };
    steps.push(stepOf(command, who, command.via ?? batch.via));
  }
  return steps;
}

function stepOf(command: DecidedCommand, by: Principal, via: string | undefined): Step {
  return { command, by, ...(via !== undefined && { via }) };
}

/** The principal that a command names, if this process vouches for it. */
function whoActs(
  { principals }: Pick<Shell, "principals">,
  named: string | undefined,
): Principal | Refusal {
  const [first] = principals;
  if (named === undefined && first !== undefined) return first;
  const id = named === undefined ? undefined : parsePrincipal(named)?.id;
  const found = principals.find((principal) => principal.id === id);
  if (found !== undefined) return found;
  return refusal(
    "permission-denied",
    `this process does not vouch for ${JSON.stringify(named?.slice(0, 80) ?? null)}: name one ` +
      `of ${principals.map((principal) => principal.id).join(", ")}`,
  );
}
