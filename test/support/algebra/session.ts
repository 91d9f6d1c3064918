import type { Answer, EventLog, Plan, ReadAnswer, RecordedWindowEvent } from "@palimpsest/core";
import {
  createMemoryLog,
  isRefused,
  readCommandSchemas,
  upcast,
  Window,
  windowStream,
  writeCommandSchemas,
} from "@palimpsest/core";
import type { WindowState } from "@palimpsest/core/state";
import { evolveAll, initialState } from "@palimpsest/core/state";
import { sha256 } from "../sha256.ts";
import { disagreements } from "./agreement.ts";
import { checkWalk } from "./check.ts";
import type { Counts } from "./counts.ts";
import { contentAt, WINDOW } from "./pure.ts";
import type { Reference } from "./reference.ts";
import { effectOfEdit, gapsOf, liveSpans, tokensOfWindow } from "./views.ts";
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
  readonly #sent: string[] = [];

  constructor(counts?: Counts) {
    this.#counts = counts;
  }

  get state(): WindowState {
    return this.states.at(-1) ?? initialState(WINDOW);
  }

  get reference() {
    return headOf(this.walk);
  }

  /** The commands that were sent, one a line: what a failing test prints. */
  story(): string {
    return this.#sent.join("\n");
  }

  /** Runs a command, checks what it did, and gives its answer. */
  async send(command: object): Promise<object> {
    this.#sent.push(JSON.stringify(command));
    const plan = await planned(this.window, command);
    const answer = await this.window.executeJson(command);
    const outcome = outcomeOf(answer);
    const codes = outcome?.outcome === "refused" ? outcome.refusals.map(({ code }) => code) : [];
    const name = nameOf(command);
    this.#counts?.note(name, outcome?.outcome ?? "accepted", [...new Set(codes)]);
    const appended = await this.#appended();
    this.#check(name, outcome, appended);
    if (appended.length > 0) this.#take(appended);
    if (outcome?.outcome === "accepted") this.#checkAnswer(command, outcome);
    if (outcome !== undefined && plan !== undefined) this.#checkPlan(plan, outcome, appended);
    return answer;
  }

  /** The same command once more: the same answer, and nothing more in the log. */
  async repeat(command: object, answer: object): Promise<void> {
    const again = await this.window.executeJson(command);
    this.#expect(
      JSON.stringify(again) === JSON.stringify(answer),
      `the retry of ${JSON.stringify(command)} is answered ${JSON.stringify(again)}`,
    );
    this.#expect((await this.#appended()).length === 0, "a retry was appended");
  }

  /** What the window says of itself, by this handle and by a fresh one, is what is so. */
  async checkShown(): Promise<void> {
    if (this.events.length === 0) return;
    const view = await this.window.show();
    const fresh = await new Window(this.log, WINDOW, { principals: PRINCIPALS }).show();
    this.#expectSame("what two handles show", fresh, view);
    const live = liveSpans(this.reference);
    const contentOf = contentAt(this.events);
    const contents = [...this.state.spans].flatMap((span) =>
      live.some(({ id }) => id === span.id) ? [[span.id, contentOf(span)] as const] : [],
    );
    const shown = view.spans.map(({ spanId, content }) => [spanId, content] as const);
    this.#expectSame(
      "the spans shown",
      shown.map(([id]) => id),
      live.map(({ id }) => id),
    );
    this.#expectSame("the contents shown", [...shown].sort(), contents.sort());
    this.#expectSame("the gaps shown", view.gaps, gapsOf(this.reference));
    const status = await this.window.status();
    this.#expectSame(
      "the status of edits",
      status.map(({ editId, effect, recovery }) => [editId, effect, recovery]),
      this.reference.edits.map((edit) => [edit.id, effectOfEdit(this.reference, edit), "proven"]),
    );
  }

  #expectSame(what: string, actual: unknown, expected: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(expected)];
    this.#expect(is === should, `${what}: ${is}, but should be ${should}`);
  }

  #check(name: string, outcome: Outcome | undefined, appended: readonly unknown[]): void {
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

  #checkAnswer(command: object, answer: Extract<Outcome, { outcome: "accepted" }>): void {
    const { revision, events, tokens } = answer;
    const last = this.events.slice(this.events.length - events.length);
    const types = last.map(({ type }) => type);
    this.#expect(revision === this.events.length - 1, `the answer names revision ${revision}`);
    this.#expect(types.join() === events.join(), `the answer names events ${events.join()}`);
    this.#expect(tokens === tokensOfWindow(this.reference), `the answer names ${tokens} tokens`);
    if ("rendered" in answer && answer.rendered !== undefined) {
      const isItsOwn = answer.digest === sha256(answer.rendered);
      this.#expect(isItsOwn, `the digest of ${JSON.stringify(command)} is off`);
    }
  }

  /** What was planned is what happened; a plan knows nothing of ids and revisions of commands. */
  #checkPlan(plan: Plan | "refused", answer: Outcome, appended: readonly unknown[]): void {
    const [then, now] = [this.walk.states.at(-1 - appended.length), this.reference];
    if (answer.outcome !== "accepted") {
      const empty = plan === "refused" || plan.order.length === 0;
      this.#expect(empty || answer.outcome === "refused", "a plan for nothing");
      return;
    }
    if (plan === "refused" || then === undefined) {
      this.#expect(false, "a plan was refused and the command accepted");
      return;
    }
    const live = (reference: Reference): string[] => liveSpans(reference).map(({ id }) => id);
    const [before, after] = [live(then), live(now)];
    this.#expectSame(
      "planned to leave",
      plan.leave,
      before.filter((id) => !after.includes(id)),
    );
    this.#expectSame(
      "planned to return",
      plan.return,
      after.filter((id) => !before.includes(id)),
    );
    this.#expectSame("tokens planned", plan.tokens.after, answer.tokens);
    this.#expectSame("spans that left", "left" in answer && answer.left, plan.leave);
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

const PLANNED: readonly unknown[] = ["undo", "redo", "rewind", "rewrite", "evict"];

/** The plan of a command that has one. */
async function planned(window: Window, command: object): Promise<Plan | "refused" | undefined> {
  if (!("command" in command) || !PLANNED.includes(command.command)) return undefined;
  try {
    return await window.plan(command as Parameters<Window["plan"]>[0]);
  } catch (error) {
    if (isRefused(error)) return "refused";
    throw error;
  }
}

/** A command by its name, an undo with its strategy. */
function nameOf(command: object): string {
  const { command: name, strategy } = command as { command?: unknown; strategy?: unknown };
  if (typeof name !== "string" || !KNOWN.has(name)) return "no command";
  return strategy === undefined ? name : `${name} by ${String(strategy)}`;
}

type Outcome = Extract<Answer | ReadAnswer, { readonly outcome: string }>;

/** What a command that writes, or a probe, came to; undefined for the answer of another read. */
function outcomeOf(answer: Answer | ReadAnswer): Outcome | undefined {
  return "outcome" in answer ? answer : undefined;
}
