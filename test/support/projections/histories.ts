import type { EventLog, RecordedWindowEvent, StoredEvent, Window } from "@palimpsest/core";
import { createMemoryLog, openWindow } from "@palimpsest/core";
import type { Effect } from "@palimpsest/core/state";
import fc from "fast-check";
import type { Sent } from "../scenarios/commands.ts";
import {
  admit,
  batch,
  callSpan,
  evict,
  propose,
  redo,
  resultSpan,
  rewind,
  rewrite,
  settle,
  undo,
} from "../scenarios/commands.ts";

/** The window of every history here. */
export const WINDOW = "w";
const PERSON = "human/p";

/** One step of a random history: what to do, and a number that picks what to do it to. */
export interface Op {
  readonly kind: (typeof kinds)[number];
  readonly pick: number;
}

const kinds = [
  ...(["admit", "admit", "admit", "pair", "batch", "evict", "rewrite", "rewrite"] as const),
  ...(["undo", "redo", "rewind", "recall", "read", "claim", "render", "group"] as const),
  ...(["policy", "epoch", "propose", "prune"] as const),
] as const;

export const arbitraryOp: fc.Arbitrary<Op> = fc.record({
  kind: fc.constantFrom(...kinds),
  pick: fc.nat(1_000),
});

/** Does one step. What the window refuses at this point is left out: refusals write nothing. */
export async function perform(window: Window, { kind, pick }: Op, step: number): Promise<void> {
  const { spans, revision } = await window.show();
  const edits = await window.status();
  const ids = spans.map(({ spanId }) => spanId);
  const chosen = <Item>(items: readonly Item[]): Item | undefined => items[pick % items.length];
  const id = chosen(ids) ?? "nobody";
  const editWith = (effect: Effect): string =>
    chosen(edits.filter((edit) => edit.effect === effect && !/do$/.test(edit.verb)))?.editId ??
    "nobody";
  const inGroup = (index: number) =>
    admit(`g${step}-${index}`, { group: `g${step}`, message: { id: `m${step >> 1}`, index } });
  const next = ids[(ids.indexOf(id) + 1) % Math.max(1, ids.length)] ?? id;
  const candidates = [id, next];
  const proposal = propose(`q${step}`, candidates);
  const commands: Readonly<Record<Op["kind"], () => Sent>> = {
    admit: () => admit(`s${step}`, pick % 3 === 0 ? { content: { pick, deep: [step] } } : {}),
    pair: () => batch([callSpan(`c${step}`), resultSpan(`c${step}`)]),
    batch: () => batch([admit(`s${step}`), evict(`e${step}`, [id]), admit(`t${step}`)]),
    evict: () => evict(`e${step}`, pick % 2 === 0 ? [id] : [...new Set([id, next])]),
    rewrite: () => rewrite(`e${step}`, [...new Set([id, next])].slice(pick % 2), `p${step}`),
    undo: () => undo(editWith(pick % 3 === 0 ? "stale" : "applied"), { strategy: "cascade" }),
    redo: () => redo(editWith("undone")),
    rewind: () => rewind(pick % (revision + 1), { abandonOpenCalls: true }),
    recall: () => ({ command: "recall", spanId: `s${pick % Math.max(1, step)}` }),
    read: () => ({ command: "markRead", spanIds: [id] }),
    claim: () => ({
      command: "assertClaim",
      statement: `text of ${id}`,
      carrier: id,
      evidence: true,
    }),
    render: () => ({ command: "render" }),
    group: () => batch([inGroup(0), inGroup(1)]),
    policy: () => ({
      command: "authorPolicy",
      policyId: `policy${step}`,
      document: { name: "few", targetTokens: pick + 1, rank: "double(span.reads)" },
    }),
    epoch: () => ({
      command: "openEpoch",
      by: PERSON,
      ...(pick % 2 === 0 && { policyId: `policy${pick % Math.max(1, step)}` }),
    }),
    propose: () => proposal,
    prune: () => batch([proposal, settle(`q${step}`, { by: PERSON })]),
  };
  await window.executeJson(commands[kind]());
}

const OPTIONS = { budgetTokens: 50, principals: ["host/local", PERSON] };

export interface History {
  readonly log: EventLog;
  readonly window: Window;
}

export async function emptyHistory(log: EventLog = createMemoryLog()): Promise<History> {
  return { log, window: await openWindow(log, WINDOW, OPTIONS) };
}

/** The window that the steps lead to. */
export async function historyOf(ops: readonly Op[]): Promise<History> {
  const history = await emptyHistory();
  for (const [step, op] of ops.entries()) await perform(history.window, op, step);
  return history;
}

/** The events that commands write, one array for each append. */
export async function appendsOf(...commands: readonly Sent[]): Promise<StoredEvent[][]> {
  const { window } = await emptyHistory();
  for (const command of commands) {
    const answer = await window.executeJson(command);
    if ("outcome" in answer && answer.outcome !== "accepted")
      throw new Error(JSON.stringify(answer));
  }
  const appends: StoredEvent[][] = [];
  for (const event of await window.history()) {
    if (event.metadata.index === 0) appends.push([]);
    appends.at(-1)?.push(event as RecordedWindowEvent & StoredEvent);
  }
  return appends;
}
