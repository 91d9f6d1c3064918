import type {
  Accepted,
  AnswerIds,
  Moves,
  RefusedSettlement,
  Settlement,
  Settlements,
} from "../commands/answers.ts";
import type { Refusal } from "../commands/refusals.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import type { Mark } from "../state/marks.ts";
import { ABSENT, editAt, LIVE, markOf } from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";
import { spanAt } from "../state/state.ts";
import type { Tokenizer } from "./tokenizer.ts";
import { windowTokens } from "./tokens.ts";

/**
 * The answer to the command that caused an append: a pure function of the append's events and the
 * state they led to, so that a repeated command gets the very answer it got the first time.
 */
export function answerOf(
  state: WindowState,
  events: readonly RecordedWindowEvent[],
  tokenizer: Tokenizer,
): Accepted | RefusedSettlement {
  const refusedHere = refusedSettlement(state, events);
  if (refusedHere !== undefined) return refusedHere;
  const { tokens, overBudget } = windowTokens(state, tokenizer);
  return {
    outcome: "accepted",
    revision: state.revision,
    events: events.map(({ type }) => type),
    ids: idsOf(state, events),
    tokens,
    ...(overBudget && { overBudget: true as const }),
    ...movesOf(state, events),
    ...settlementOf(events),
  };
}

/** A settlement that was refused by rule is in the log, and its answer says where. */
function refusedSettlement(
  state: WindowState,
  events: readonly RecordedWindowEvent[],
): RefusedSettlement | undefined {
  const [event] = events;
  if (events.length > 1 || event?.type !== "PruningSettled") return undefined;
  const { outcome, refusals, proposalId } = event.data;
  if (outcome !== "refused" || refusals.every(({ code }) => code === "declined")) return undefined;
  const { commandId } = event.metadata;
  return {
    outcome: "refused",
    refusals: refusals as readonly Refusal[],
    revision: state.revision,
    events: [event.type],
    ids: { commandId, proposalId },
  };
}

/**
 * What came of a proposal: `committed`, `empty` or `refused`, and what was kept and why. A batch
 * that settles several says so of each of them, in order.
 */
function settlementOf(
  events: readonly RecordedWindowEvent[],
): Settlement | Settlements | undefined {
  const settlements = events.flatMap(({ type, data }) => {
    if (type !== "PruningSettled") return [];
    const { proposalId, outcome: settlement, retained } = data;
    return [{ proposalId, settlement, retained }];
  });
  const [only, second] = settlements;
  if (only === undefined) return undefined;
  if (second !== undefined) return { settlements };
  return { settlement: only.settlement, retained: only.retained };
}

/** One id is named in the singular, several of a kind as a list, each once, as they came up. */
function idsOf(state: WindowState, events: readonly RecordedWindowEvent[]): AnswerIds {
  const spanIds: string[] = [];
  const editIds: string[] = [];
  const claimIds: string[] = [];
  const policyIds: string[] = [];
  const proposalIds: string[] = [];
  let target: string | undefined;
  for (const { type, data } of events) {
    if (type === "ClaimAsserted" || type === "ClaimRetracted") claimIds.push(data.claimId);
    if (type === "PolicyAuthored") policyIds.push(data.policyId);
    if (type === "PruningProposed" || type === "PruningSettled") proposalIds.push(data.proposalId);
    if (type === "SpanAdmitted") spanIds.push(data.spanId);
    if (type !== "WindowEdited") continue;
    editIds.push(data.editId);
    if (data.creates !== undefined) spanIds.push(data.creates.spanId);
    target = data.target;
  }
  const opened = events.some(({ type }) => type === "WindowOpened");
  const commandId = events[0]?.metadata.commandId ?? "";
  return {
    commandId,
    ...(opened && { window: state.window }),
    ...named(
      spanIds,
      (spanId) => ({ spanId }),
      (ids) => ({ spanIds: ids }),
    ),
    ...named(
      editIds,
      (editId) => ({ editId }),
      (ids) => ({ editIds: ids }),
    ),
    ...named(
      claimIds,
      (claimId) => ({ claimId }),
      (ids) => ({ claimIds: ids }),
    ),
    ...named(
      policyIds,
      (policyId) => ({ policyId }),
      (ids) => ({ policyIds: ids }),
    ),
    ...named(
      proposalIds,
      (proposalId) => ({ proposalId }),
      (ids) => ({ proposalIds: ids }),
    ),
    ...(target !== undefined && { target }),
  };
}

function named<One, Several>(
  mentioned: readonly string[],
  one: (id: string) => One,
  several: (ids: readonly string[]) => Several,
): One | Several | undefined {
  const ids = [...new Set(mentioned)];
  const [only] = ids;
  if (only === undefined) return undefined;
  return ids.length === 1 ? one(only) : several(ids);
}

/** Which spans went out of view and which came back, and where the window first changed. */
function movesOf(state: WindowState, events: readonly RecordedWindowEvent[]): Moves | undefined {
  const first = events[0]?.revision ?? 0;
  const before = new Map<number, Mark>();
  for (const event of events) {
    if (event.type !== "WindowEdited") continue;
    for (const write of editAt(state, event.data.ordinal).writes) {
      if (before.has(write.span)) continue;
      // What this very append brought was in nobody's view before it.
      const isNew = spanAt(state, write.span).revision >= first;
      before.set(write.span, isNew ? ABSENT : write.before);
    }
  }
  if (before.size === 0) return undefined;
  const changed = [...before]
    .map(([index, mark]) => ({ span: spanAt(state, index), mark, now: markOf(state, index) }))
    .filter(({ mark, now }) => mark !== now)
    .sort((a, b) => a.span.position - b.span.position);
  const ids = (list: typeof changed) => list.map(({ span }) => span.id);
  return {
    left: ids(changed.filter(({ mark }) => mark === LIVE)),
    returned: ids(changed.filter(({ span, now }) => now === LIVE && span.revision < first)),
    firstChanged: changed[0]?.span.position ?? null,
  };
}
