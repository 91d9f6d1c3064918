import type {
  Accepted,
  AcceptedOf,
  Answer,
  AnswerOf,
  CommandName,
  EditStatus,
  EventLog,
  Json,
  Named,
  PruningCandidate,
  ReadAnswer,
  RecordedWindowEvent,
  Refusal,
  RefusalCode,
  WindowOptions,
  WindowView,
  WriteName,
} from "@palimpsest/core";
import { openWindow, Window, windowStream } from "@palimpsest/core";
import { verifyWindow } from "@palimpsest/verifier";
import { expect, onTestFinished } from "vitest";
import { written } from "../answers.ts";
import type { Sent } from "./commands.ts";
import { admit, settle } from "./commands.ts";
import type { StoreKind, TestStore } from "./stores.ts";
import { memoryStore } from "./stores.ts";

export const HOST = "host/h";
export const MODEL = "model/m";
export const HUMAN = "human/p";

const PRINCIPALS = [HOST, MODEL, HUMAN];

/** A window under test and what a scenario says about it. */
export class Story {
  readonly window: Window;
  readonly log: EventLog;
  readonly store: TestStore;
  #damaged = false;

  constructor(store: TestStore, log: EventLog, window: Window) {
    this.store = store;
    this.log = log;
    this.window = window;
  }

  /** Given: user spans with these ids, each an append of its own. */
  async holds(...spanIds: readonly string[]): Promise<void> {
    for (const spanId of spanIds) await this.accepts(admit(spanId));
  }

  /** Sends whatever it is, a command or none at all. */
  send<N extends CommandName>(command: Named<N>): Promise<AnswerOf<N>>;
  send(command: unknown): Promise<Answer | ReadAnswer>;
  send(command: unknown): Promise<Answer | ReadAnswer> {
    return this.window.executeJson(command);
  }

  /** The command is accepted; gives its answer. */
  accepts<N extends WriteName>(command: Named<N>): Promise<AcceptedOf<N>>;
  accepts(command: Sent): Promise<Accepted>;
  async accepts(command: Sent): Promise<Accepted> {
    const answer = written(await this.send(command));
    if (answer.outcome !== "accepted") throw new Error(`not accepted: ${JSON.stringify(answer)}`);
    return answer;
  }

  /** The command is refused, first of all for `code`, and nothing is written. */
  async refuses(command: unknown, code: RefusalCode, facts: object = {}): Promise<Refusal> {
    const head = await this.head();
    const answer = written(await this.send(command));
    if (answer.outcome !== "refused") throw new Error(`not refused: ${JSON.stringify(answer)}`);
    const [first] = answer.refusals as [Refusal];
    expect(first).toMatchObject({ code, ...facts });
    expect(await this.head()).toBe(head);
    return first;
  }

  /** There is nothing to do, and nothing is written. */
  async leaves(command: Sent): Promise<void> {
    const head = await this.head();
    expect(await this.send(command)).toEqual({ outcome: "nothing-to-do" });
    expect(await this.head()).toBe(head);
  }

  /** A settlement is refused by rule: it is in the log, and nothing that is shown changes. */
  async refusesLogged(command: Sent, codes: readonly RefusalCode[]): Promise<readonly Refusal[]> {
    const [head, before] = [await this.head(), await this.view()];
    const answer = written(await this.send(command));
    if (answer.outcome !== "refused") throw new Error(`not refused: ${JSON.stringify(answer)}`);
    expect(answer.refusals.map(({ code }) => code)).toEqual(codes);
    if (!("revision" in answer)) throw new Error(`not in the log: ${JSON.stringify(answer)}`);
    expect({ revision: answer.revision, events: answer.events }).toEqual({
      revision: head + 1,
      events: ["PruningSettled"],
    });
    expect(await this.head()).toBe(head + 1);
    expect(await this.view()).toEqual({ ...before, revision: head + 1 });
    return answer.refusals;
  }

  /** The host proposes and a person settles; gives the answer to the settlement. */
  async prunes(candidates: readonly PruningCandidate[], more: Sent = {}): Promise<Answer> {
    const { ids } = await this.accepts({ command: "proposePruning", candidates });
    return this.send(settle(ids.proposalId, { by: HUMAN, ...more }));
  }

  /** Standing of every claim, by id. */
  async standings(at?: number): Promise<Record<string, string>> {
    const claims = await this.window.claims(at);
    return Object.fromEntries(claims.map(({ claimId, standing }) => [claimId, standing]));
  }

  /** The lines of the rendering after the head of the ledger. */
  async claimLines(at?: number): Promise<string[]> {
    const lines = (await this.view(at)).rendered.split("\n").slice(0, -1);
    return lines.slice(lines.findIndex((line) => line.startsWith("::ledger ")) + 1);
  }

  /** Revision of the last event in the store. */
  async head(): Promise<number> {
    return (await this.log.head(windowStream(this.window.id))) ?? -1;
  }

  view(at?: number): Promise<WindowView> {
    return this.window.show(at);
  }

  /** Ids of the live spans in order of position. */
  async live(at?: number): Promise<string[]> {
    return (await this.view(at)).spans.map(({ spanId }) => spanId);
  }

  /** The live spans in order of position, each with its content. */
  async contents(at?: number): Promise<[string, Json][]> {
    return (await this.view(at)).spans.map(({ spanId, content }) => [spanId, content]);
  }

  statuses(): Promise<EditStatus[]> {
    return this.window.status();
  }

  /** The effect of each edit, by its id. */
  async effects(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.statuses()).map((one) => [one.editId, one.effect]));
  }

  /** The status word of an edit. */
  async word(editId: string): Promise<string | undefined> {
    return (await this.window.status(editId))[0]?.word;
  }

  /** What was accepted holds: the verifier, which decides nothing, finds no fault with it. */
  async holdsUp(): Promise<void> {
    const { findings } = await verifyWindow(this.log, this.window.id);
    expect(findings.filter(({ stream }) => stream !== "verdict")).toEqual([]);
  }

  /** Given a store that is written past the library: what it holds then is not verified. */
  expectsDamage(): void {
    this.#damaged = true;
  }

  /** The scenario is over. */
  async ends(): Promise<void> {
    if (!this.#damaged) await this.holdsUp();
  }

  history(): Promise<RecordedWindowEvent[]> {
    return this.window.history();
  }

  /** Types of the events after `revision`. */
  async eventsAfter(revision: number): Promise<string[]> {
    const events = await this.history();
    return events.filter((event) => event.revision > revision).map(({ type }) => type);
  }

  /** What the model sees and what every edit is worth: all that undo and rewind may change. */
  async state(): Promise<unknown> {
    const { spans, gaps, tokens, ledger } = await this.view();
    const statuses = await this.statuses();
    const effects = statuses.map(({ editId, effect, word }) => ({ editId, effect, word }));
    return { spans, gaps, tokens, outOfView: ledger.outOfView, effects };
  }

  /** The same window through another handle, as after a restart. */
  again(options: WindowOptions = { principals: PRINCIPALS }): Story {
    const log = this.store.reopen();
    return new Story(this.store, log, new Window(log, this.window.id, options));
  }

  /** The same window through a wrapper around the log. */
  through<L extends EventLog>(log: L): Story & { readonly log: L } {
    const window = new Window(log, this.window.id, { principals: PRINCIPALS });
    return new Story(this.store, log, window) as Story & { readonly log: L };
  }
}

/**
 * Given an open window `w` on an empty store of this kind. What the scenario leaves in memory is
 * verified when it ends; the events are the same on every other store.
 */
export async function given(
  kind: StoreKind,
  options: Parameters<typeof openWindow>[2] = {},
): Promise<Story> {
  const store = await kind.open();
  const window = await openWindow(store.log, "w", { principals: PRINCIPALS, ...options });
  const story = new Story(store, store.log, window);
  if (kind === memoryStore) onTestFinished(() => story.ends());
  return story;
}
