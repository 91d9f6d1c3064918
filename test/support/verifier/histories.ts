import type { Answer, EventLog, Json } from "@palimpsest/core";
import { createMemoryLog, Window } from "@palimpsest/core";

/*
 * Random histories through the library's own front door: commands that make sense most of the
 * time, refused ones included, by several principals, some of them caused by tool calls.
 */

const PRINCIPALS = ["host/h", "model/m", "human/p"];

/** Whole numbers from 0 below `limit`, the same ones for the same seed (mulberry32). */
export function seeded(seed: number): (limit: number) => number {
  let state = seed | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

export interface History {
  readonly log: EventLog;
  readonly window: Window;
  /** Outcomes of the commands, counted by name and outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** A history of about `length` commands; the seed says all of it. */
export async function randomHistory(seed: number, length: number): Promise<History> {
  const pick = seeded(seed);
  const log = createMemoryLog();
  const window = new Window(log, "w", { principals: PRINCIPALS });
  const outcomes = new Map<string, number>();
  await window.execute({ command: "openWindow", ...(pick(2) === 0 && { budgetTokens: 500 }) });
  const world = new World(pick, window);
  for (let step = 0; step < length; step += 1) {
    const command = await world.next(step);
    const answer = (await window.execute(command)) as Answer;
    world.note(command, answer);
    const name = `${(command as { command: string }).command} ${answer.outcome}`;
    outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
  }
  return { log, window, outcomes };
}

type Command = { readonly [key: string]: Json };

const TEXTS = [
  "retry_budget = 3",
  "raised to 7 pending rollout",
  "::gap spans 1 edits 1: e1",
  "\\::span\n::ledger",
  "line one\nline two\nline three",
  "é 日本 \u2028:: \u{1f600}",
  "",
];

/** What the generator knows of the window: ids to name again. */
class World {
  readonly #pick: (limit: number) => number;
  readonly #window: Window;
  readonly #edits: string[] = [];
  readonly #open: string[] = [];
  readonly #spans: string[] = [];
  #live: readonly string[] = [];
  #revision = 0;

  constructor(pick: (limit: number) => number, window: Window) {
    this.#pick = pick;
    this.#window = window;
  }

  async next(step: number): Promise<Command> {
    const view = await this.#window.show();
    this.#live = view.spans.map(({ spanId }) => spanId);
    this.#revision = view.revision;
    const kinds = [
      () => this.#admit(step),
      () => this.#admit(step),
      () => this.#call(step),
      () => this.#result(step),
      () => this.#edit(step),
      () => this.#edit(step),
      () => this.#inverse(),
      () => this.#rewind(),
      () => this.#batch(step),
      () => ({ command: "render" }),
      () => ({ command: "recall", spanId: this.#one(this.#spans) }),
      () => ({ command: "markRead", spanIds: [this.#one(this.#live)] }),
    ] as const;
    return (kinds[this.#pick(kinds.length)] ?? kinds[0])();
  }

  note(command: Command, answer: Answer): void {
    if (answer.outcome !== "accepted") return;
    const ids = answer.ids as { readonly [key: string]: Json };
    for (const id of [ids.editId ?? [], ids.editIds ?? []].flat()) this.#edits.push(String(id));
    for (const id of [ids.spanId ?? [], ids.spanIds ?? []].flat()) this.#spans.push(String(id));
    if (command.kind === "tool-call") this.#open.push(String(command.call));
  }

  #one(ids: readonly string[]): string {
    return ids[this.#pick(Math.max(1, ids.length))] ?? "nobody";
  }

  #admit(step: number): Command {
    const by = this.#pick(4) === 0 ? "model/m" : "host/h";
    const origins = ["user", "assistant", "tool", "host", "system"];
    const origin = by === "model/m" ? "assistant" : (origins[this.#pick(5)] ?? "user");
    const message = { id: `m${Math.floor(step / 3)}`, index: step % 3 };
    const text = TEXTS[this.#pick(TEXTS.length)] ?? "";
    return {
      command: "admitSpan",
      by,
      origin,
      content: this.#pick(6) === 0 ? { step, text } : `${text} ${step}`,
      ...(this.#pick(3) === 0 && { message }),
      ...(by === "host/h" && this.#pick(8) === 0 && { group: `g${this.#pick(3)}-${step >> 2}` }),
      ...(by === "host/h" && this.#pick(12) === 0 && { sealed: true }),
      ...(by === "host/h" && this.#pick(16) === 0 && { pinned: true }),
    };
  }

  #call(step: number): Command {
    const message = { id: `m${Math.floor(step / 3)}`, index: step % 3 };
    const call = { command: "admitSpan", by: "model/m", origin: "assistant", kind: "tool-call" };
    return { ...call, call: `c${step}`, content: { step }, message, tool: { name: "re ad" } };
  }

  #result(step: number): Command {
    const call = this.#one(this.#open);
    const result = { command: "admitSpan", origin: "tool", kind: "tool-result", call };
    return { ...result, content: `result ${step}`, tool: { name: "x", status: "ok" } };
  }

  #edit(step: number): Command {
    const by = this.#pick(3) === 0 ? "model/m" : "host/h";
    const from = this.#pick(Math.max(1, this.#live.length));
    const consumes = this.#live.slice(from, from + 1 + this.#pick(4));
    const via = this.#pick(6) === 0 ? { via: this.#one(this.#open) } : {};
    if (this.#pick(3) === 0) return { command: "evict", by, consumes, ...via };
    const text = TEXTS[this.#pick(TEXTS.length)] ?? "";
    const content = this.#pick(8) === 0 ? { step } : `short ${text} ${step}`;
    return { command: "rewrite", by, consumes, content, ...via };
  }

  #inverse(): Command {
    const editId = this.#one(this.#edits);
    if (this.#pick(3) === 0) return { command: "redo", editId };
    const strategies = ["revert", "cascade", "merge"];
    const strategy = strategies[this.#pick(3)] ?? "revert";
    return { command: "undo", editId, strategy };
  }

  #rewind(): Command {
    const to = this.#pick(this.#revision + 1);
    const via = this.#pick(3) === 0 ? { via: this.#one(this.#open), by: "model/m" } : {};
    return { command: "rewind", to, abandonOpenCalls: this.#pick(2) === 0, ...via };
  }

  #batch(step: number): Command {
    const commands = [this.#admit(step), this.#edit(step), this.#inverse(), this.#call(step)];
    return { command: "batch", commands: commands.slice(0, 1 + this.#pick(4)) };
  }
}
