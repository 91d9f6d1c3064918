import type { Answer, EventLog, RecordedWindowEvent, WindowState } from "@palimpsest/core";
import {
  createMemoryLog,
  evolveAll,
  initialState,
  readCommandSchemas,
  upcast,
  Window,
  windowStream,
  writeCommandSchemas,
} from "@palimpsest/core";
import { disagreements } from "./agreement.ts";
import { checkWalk } from "./check.ts";
import type { Counts } from "./counts.ts";
import { sha256 } from "./json.ts";
import { contentAt, WINDOW } from "./pure.ts";
import { tokensOfWindow } from "./views.ts";
import type { Walk } from "./walk.ts";
import { emptyWalk, headOf, walkOn } from "./walk.ts";

/** Whom the process of a session vouches for. */
export const PRINCIPALS = ["host/local", "model/m", "human/h", "verifier/v"];

const READS = Object.keys(readCommandSchemas);
const KNOWN = new Set([...READS, ...Object.keys(writeCommandSchemas), "batch"]);

/**
 * A window on a log, with everything that must hold after each command checked right then: what
 * was answered is in the log, the two folds agree, no rule finds anything, and what was refused
 * left no trace. `problems` says what did not hold.
 */
export class Session {
  readonly log: EventLog = createMemoryLog();
  readonly window = new Window(this.log, WINDOW, { principals: PRINCIPALS });
  readonly problems: string[] = [];
  events: readonly RecordedWindowEvent[] = [];
  /** The state after every append, built step by step from what is in the log. */
  states: readonly WindowState[] = [initialState(WINDOW)];
  walk: Walk = emptyWalk;
  readonly #counts: Counts | undefined;

  constructor(counts?: Counts) {
    this.#counts = counts;
  }

  get state(): WindowState {
    return this.states.at(-1) ?? initialState(WINDOW);
  }

  get reference() {
    return headOf(this.walk);
  }

  /** Runs a command, checks what it did, and gives its answer. */
  async send(command: object): Promise<object> {
    const answer = await this.window.execute(command);
    const outcome = outcomeOf(answer);
    const codes = outcome?.outcome === "refused" ? outcome.refusals.map(({ code }) => code) : [];
    const name = nameOf(command);
    this.#counts?.note(name, outcome?.outcome ?? "accepted", [...new Set(codes)]);
    const appended = await this.#appended();
    this.#check(name, outcome, appended);
    if (appended.length > 0) this.#take(appended);
    if (outcome?.outcome === "accepted") this.#checkAnswer(command, outcome);
    return answer;
  }

  /** The same command once more: the same answer, and nothing more in the log. */
  async repeat(command: object, answer: object): Promise<void> {
    const again = await this.window.execute(command);
    this.#expect(
      JSON.stringify(again) === JSON.stringify(answer),
      `the retry of ${JSON.stringify(command)} is answered ${JSON.stringify(again)}`,
    );
    this.#expect((await this.#appended()).length === 0, "a retry was appended");
  }

  #check(name: string, outcome: Answer | undefined, appended: readonly unknown[]): void {
    const writes = outcome?.outcome === "accepted" && !READS.includes(name);
    this.#expect(writes === appended.length > 0, `${name} appended ${appended.length} events`);
    if (outcome?.outcome !== "refused") return;
    this.#expect(outcome.refusals.length > 0, `${name} is refused without a reason`);
  }

  #take(appended: readonly RecordedWindowEvent[]): void {
    const from = this.events.length;
    this.events = [...this.events, ...appended];
    this.states = [...this.states, evolveAll(this.state, appended)];
    this.walk = walkOn(this.walk, appended);
    for (const { code, revision, message } of checkWalk(this.walk, { from })) {
      this.problems.push(`${code} at ${revision}: ${message}`);
    }
    const contentOf = contentAt(this.events);
    for (const one of disagreements(this.state, this.reference, contentOf)) {
      this.problems.push(`the folds disagree: ${JSON.stringify(one)}`);
    }
  }

  #checkAnswer(command: object, answer: Extract<Answer, { outcome: "accepted" }>): void {
    const { revision, events, tokens, rendered, digest } = answer;
    const last = this.events.slice(this.events.length - events.length);
    const types = last.map(({ type }) => type);
    this.#expect(revision === this.events.length - 1, `the answer names revision ${revision}`);
    this.#expect(types.join() === events.join(), `the answer names events ${events.join()}`);
    this.#expect(tokens === tokensOfWindow(this.reference), `the answer names ${tokens} tokens`);
    if (typeof rendered === "string") {
      this.#expect(digest === sha256(rendered), `the digest of ${JSON.stringify(command)} is off`);
    }
  }

  async #appended(): Promise<RecordedWindowEvent[]> {
    const appended: RecordedWindowEvent[] = [];
    const from = this.events.length;
    for await (const page of this.log.read(windowStream(WINDOW), { from })) {
      appended.push(...page.map(upcast));
    }
    return appended;
  }

  #expect(holds: boolean, problem: string): void {
    if (!holds) this.problems.push(problem);
  }
}

/** A command by its name, an undo with its strategy. */
function nameOf(command: object): string {
  const { command: name, strategy } = command as { command?: unknown; strategy?: unknown };
  if (typeof name !== "string" || !KNOWN.has(name)) return "no command";
  return strategy === undefined ? name : `${name} by ${String(strategy)}`;
}

/** What a command that writes, or a probe, came to; undefined for the answer of another read. */
function outcomeOf(answer: object): Answer | undefined {
  return "outcome" in answer ? (answer as Answer) : undefined;
}
