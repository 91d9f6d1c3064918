import type { Answer, EventLog, Json } from "@palimpsest/core";
import { createMemoryLog, Window } from "@palimpsest/core";
import { seededRandom } from "@palimpsest/core/testing";
import { written } from "../answers.ts";

/*
 * Random histories through the library's own front door: commands that make sense most of the
 * time, refused ones included, by several principals, some of them caused by tool calls.
 */

const PRINCIPALS = ["host/h", "model/m", "human/p"];

export interface History {
  readonly log: EventLog;
  readonly window: Window;
  /** Outcomes of the commands, counted by name and outcome. */
  readonly outcomes: ReadonlyMap<string, number>;
}

/** A history of about `length` commands; the seed says all of it. */
export async function randomHistory(seed: number, length: number): Promise<History> {
  const { below: pick } = seededRandom(seed);
  const log = createMemoryLog();
  const window = new Window(log, "w", { principals: PRINCIPALS });
  const outcomes = new Map<string, number>();
  await window.execute({ command: "openWindow", ...(pick(2) === 0 && { budgetTokens: 500 }) });
  const world = new World(pick, window);
  for (let step = 0; step < length; step += 1) {
    const command = await world.next(step);
    const answer = written(await window.executeJson(command));
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

const A = "a".repeat(64);
const SOURCE = { uri: "file:a", digest: A };

/** What the generator knows of the window: ids to name again. */
class World {
  readonly #pick: (limit: number) => number;
  readonly #window: Window;
  readonly #edits: string[] = [];
  readonly #open: string[] = [];
  readonly #spans: string[] = [];
  readonly #claims: string[] = [];
  readonly #policies: string[] = [];
  readonly #proposals: string[] = [];
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
      () => this.#claim(step),
      () => this.#claim(step),
      () => this.#aboutClaims(step),
      () => this.#policy(step),
      () => this.#prune(step),
      () => this.#prune(step),
      () => ({ command: "render" }),
      () => ({ command: "recall", spanId: this.#one(this.#spans) }),
      () => ({ command: "markRead", spanIds: [this.#one(this.#live)] }),
    ] as const;
    return (kinds[this.#pick(kinds.length)] ?? kinds[0])();
  }

  note(command: Command, answer: Answer): void {
    if (answer.outcome !== "accepted") return;
    const { ids } = answer;
    this.#edits.push(...[ids.editId ?? ids.editIds ?? []].flat());
    this.#spans.push(...[ids.spanId ?? ids.spanIds ?? []].flat());
    if (ids.claimId !== undefined) this.#claims.push(ids.claimId);
    if (ids.policyId !== undefined) this.#policies.push(ids.policyId);
    if (ids.proposalId !== undefined) this.#proposals.push(ids.proposalId);
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

  #claim(step: number): Command {
    const by = this.#pick(3) === 0 ? "model/m" : "host/h";
    const shape = this.#pick(5);
    const base = { command: "assertClaim", by, statement: `claim ${this.#pick(12)}` };
    if (shape === 0) return { ...base, evidence: this.#pick(2) === 0 };
    const because = [{ claim: this.#one(this.#claims) }];
    if (shape === 1) return { ...base, kind: "decision", because };
    if (shape === 2) return { ...base, because: [...because, { uri: "file:a", digest: A }] };
    const carrier = this.#one(this.#live);
    if (shape === 3) return { ...base, carrier, evidence: this.#pick(2) === 0 };
    const [key, value] = [this.#pick(2) === 0 ? "Retry" : " retry", String(step % 10)];
    return { ...base, key, value, carrier, evidence: this.#pick(2) === 0 };
  }

  #aboutClaims(step: number): Command {
    const [a, b] = [this.#one(this.#claims), this.#one(this.#claims)];
    switch (this.#pick(4)) {
      case 0:
        return { command: "retractClaim", claimId: a, reason: `since ${step}` };
      case 1:
        return { command: "noteConflict", a, b };
      case 2:
        return { command: "observeSource", uri: "file:a", digest: this.#pick(2) === 0 ? A : null };
      default:
        return { command: "admitSpan", origin: "tool", content: `file ${step}`, source: SOURCE };
    }
  }

  #policy(step: number): Command {
    if (this.#pick(2) === 0) {
      const document = { name: `policy ${step}`, targetTokens: 20, rank: "0 - span.age" };
      return { command: "authorPolicy", document, by: this.#pick(2) === 0 ? "model/m" : "human/p" };
    }
    return this.#pick(2) === 0
      ? { command: "openEpoch" }
      : { command: "openEpoch", policyId: this.#one(this.#policies) };
  }

  #prune(step: number): Command {
    if (this.#pick(2) === 0) {
      const from = this.#pick(Math.max(1, this.#live.length));
      const taken = this.#live.slice(from, from + 3);
      const stray = this.#pick(6) === 0 ? ["undo:e1"] : [];
      const replacement = { consumes: taken, content: `s${step}` };
      const candidates = this.#pick(3) === 0 ? [replacement] : [...taken, ...stray];
      const picks = this.#pick(4) === 0 ? {} : { candidates };
      return { command: "proposePruning", by: "model/m", ...picks };
    }
    const proposalId = this.#proposals.at(-1) ?? "nothing";
    return { ...this.#settle(proposalId), decision: this.#pick(5) === 0 ? "refuse" : "commit" };
  }

  #settle(proposalId: string): Command {
    const onEvidence = this.#pick(4) === 0 ? "refuse" : "carry";
    const unattended = this.#pick(4) === 0;
    return { command: "settlePruning", proposalId, unattended, onEvidence };
  }

  /** What a settlement does is judged at its place, whatever else its append holds. */
  #settlingBatch(step: number): Command {
    const proposalId = `p${step}`;
    const from = this.#pick(Math.max(1, this.#live.length));
    const candidates = this.#live.slice(from, from + 1 + this.#pick(3));
    const propose = { command: "proposePruning", by: "model/m", proposalId, candidates };
    const settle = { ...this.#settle(proposalId), decision: "commit" };
    const others = [
      () => this.#admit(step),
      () => ({ command: "evict", consumes: [this.#one(this.#live)] }),
      () => this.#inverse(),
      () => this.#claim(step),
      () => this.#aboutClaims(step),
      () => ({ command: "recall", spanId: this.#one(this.#spans) }),
      () => ({ command: "undo", editId: `e${step}` }),
    ] as const;
    const other = () => (others[this.#pick(others.length)] ?? others[0])();
    const direct = { command: "evict", editId: `e${step}`, consumes: [this.#one(this.#live)] };
    const before = this.#pick(3) === 0 ? [direct] : [];
    return { command: "batch", commands: [...before, propose, settle, other()] };
  }

  #batch(step: number): Command {
    if (this.#pick(2) === 0) return this.#settlingBatch(step);
    const commands = [this.#admit(step), this.#edit(step), this.#inverse(), this.#call(step)];
    return { command: "batch", commands: commands.slice(0, 1 + this.#pick(4)) };
  }
}
