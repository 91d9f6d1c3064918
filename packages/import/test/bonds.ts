import type { BatchItem } from "@palimpsest/core";
import type { AdmitSpan } from "../src/draft/draft.ts";
import type { ImportStep } from "../src/step.ts";

/*
 * A model of what a window demands of the commands of an import, written without a look at the
 * window: it knows admissions, rewrites and evicts and checks the bonds after every step.
 */

interface Live {
  readonly call?: string | undefined;
  readonly role?: "call" | "result";
  readonly group?: string | undefined;
  readonly pinned: boolean;
}

/** What breaks a rule, in words; the first few are enough to find a fault. */
export function bondProblems(steps: readonly ImportStep[]): string[] {
  const model = new Model();
  for (const [index, { commands }] of steps.entries()) {
    for (const command of commands) model.run(command, index);
    model.checkBonds(index);
  }
  return [...model.problems, ...model.openCalls()].slice(0, 10);
}

class Model {
  readonly problems: string[] = [];
  readonly #live = new Map<string, Live>();
  readonly #spanIds = new Set<string>();
  readonly #calls = new Map<string, "open" | "answered">();
  readonly #groups = new Map<string, { step: number; size: number }>();
  readonly #indexes = new Set<string>();

  run(command: BatchItem, step: number): void {
    if (command.command === "admitSpan") this.#admit(command, step);
    else if (command.command === "evict") this.#take(command.consumes, step);
    else if (command.command === "rewrite") {
      const [first] = command.consumes;
      const only = command.consumes.length === 1 ? this.#live.get(first ?? "") : undefined;
      this.#checkNeighbours(command.consumes, step);
      this.#take(command.consumes, step);
      this.#add(command.spanId ?? "", only ?? { pinned: false }, step);
    } else this.problems.push(`step ${step}: ${command.command} is not a command of an import`);
  }

  checkBonds(step: number): void {
    const roles = new Map<string, string[]>();
    const members = new Map<string, number>();
    for (const { call, role, group } of this.#live.values()) {
      if (call !== undefined) roles.set(call, [...(roles.get(call) ?? []), role ?? ""].sort());
      if (group !== undefined) members.set(group, (members.get(group) ?? 0) + 1);
    }
    for (const [call, state] of this.#calls) {
      const live = roles.get(call)?.join() ?? "";
      const allowed = state === "open" ? ["call"] : ["call,result", ""];
      if (!allowed.includes(live)) this.problems.push(`step ${step}: ${call} has "${live}" live`);
    }
    for (const [group, size] of members) {
      if (this.#groups.get(group)?.size !== size) this.problems.push(`step ${step}: half ${group}`);
    }
  }

  openCalls(): string[] {
    const open = [...this.#calls].filter(([, state]) => state === "open");
    return open.map(([call]) => `at the end: ${call} is open`);
  }

  #admit(span: AdmitSpan, step: number): void {
    const { call, group, kind, message } = span;
    if (message) {
      const place = `${message.id}/${message.index}`;
      if (this.#indexes.has(place)) this.problems.push(`step ${step}: ${place} is taken`);
      this.#indexes.add(place);
    }
    if (group !== undefined) this.#join(group, step);
    const isBound = kind === "tool-call" || kind === "tool-result";
    if (isBound !== (call !== undefined)) this.problems.push(`step ${step}: ${kind} and call`);
    if (call !== undefined) this.#bind(call, kind === "tool-call", step);
    const role = kind === "tool-call" ? "call" : "result";
    this.#add(
      span.spanId ?? "",
      { pinned: span.origin === "system", group, ...(isBound ? { call, role } : {}) },
      step,
    );
  }

  #join(group: string, step: number): void {
    const known = this.#groups.get(group) ?? { step, size: 0 };
    if (known.step !== step) this.problems.push(`step ${step}: ${group} grows later`);
    this.#groups.set(group, { step: known.step, size: known.size + 1 });
  }

  #bind(call: string, isCall: boolean, step: number): void {
    const state = this.#calls.get(call);
    if (isCall && state !== undefined) this.problems.push(`step ${step}: ${call} is used again`);
    if (!isCall && state !== "open") this.problems.push(`step ${step}: ${call} is not open`);
    this.#calls.set(call, isCall ? "open" : "answered");
  }

  #add(spanId: string, live: Live, step: number): void {
    if (this.#spanIds.has(spanId)) this.problems.push(`step ${step}: ${spanId} is taken`);
    this.#spanIds.add(spanId);
    this.#live.set(spanId, live);
  }

  #take(consumes: readonly string[], step: number): void {
    for (const id of consumes) {
      const live = this.#live.get(id);
      if (!live) this.problems.push(`step ${step}: ${id} is not live`);
      if (live?.pinned) this.problems.push(`step ${step}: ${id} is pinned`);
      this.#live.delete(id);
    }
  }

  /** The model keeps no positions: in these recordings a rewrite takes spans in a row of births. */
  #checkNeighbours(consumes: readonly string[], step: number): void {
    const live = [...this.#live.keys()].filter((id) => !this.#live.get(id)?.pinned);
    const from = live.indexOf(consumes[0] ?? "");
    if (live.slice(from, from + consumes.length).join() !== consumes.join()) {
      this.problems.push(`step ${step}: a rewrite takes spans that are not neighbours`);
    }
  }
}
