import type { Refused } from "../commands/answers.ts";
import type { ReadName } from "../commands/by-name.ts";
import { refusal, unknownEdit } from "../commands/refusals.ts";
import type { Command, ReadCommand } from "../commands/schema.ts";
import { readCommandSchemas } from "../commands/schema.ts";
import { windowStream } from "../events/ids.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import { upcast } from "../events/upcast.ts";
import type { LogReader } from "../log/port.ts";
import type { ContentFact } from "../state/content.ts";
import { contentRef } from "../state/content.ts";
import type { Edit } from "../state/marks.ts";
import type { WindowState } from "../state/state.ts";
import { findEdit } from "../state/state.ts";
import type { ClaimStatus } from "../view/claim-status.ts";
import { claimsOf, groundSpans } from "../view/claim-status.ts";
import type { EditStatus, Recovery } from "../view/status.ts";
import { recordedSpans, recoveryOf, statusOf } from "../view/status.ts";
import { windowTokens } from "../view/tokens.ts";
import type { WindowView } from "../view/window-view.ts";
import { viewOf } from "../view/window-view.ts";
import type { LiveContents } from "./contents.ts";
import { readContent, replayWithContents } from "./contents.ts";
import type { Shell } from "./shell.ts";
import { refresh, refusedWith, tokenizerOf, unusableWindow, wrongRevision } from "./shell.ts";

/** A policy and what became of it. */
export interface PolicyStatus {
  /** Id of the policy. */
  readonly policyId: string;
  /** Who wrote it: `party/name`. */
  readonly by: string;
  /** When: ISO 8601, UTC. */
  readonly at: string;
  /** Epoch it was authored in. */
  readonly epoch: number;
  /** SHA-256 of `text`. */
  readonly digest: string;
  /** Id of the policy that was authored before it; null: it is the first. */
  readonly previous: string | null;
  /** Unified diff against the text of `previous`. */
  readonly diff: string;
  /** The document as it was written. */
  readonly text: string;
  /** Epochs that ran on it. */
  readonly epochs: readonly number[];
  /** The epoch of this moment runs on it. */
  readonly active: boolean;
}

/** What an edit took, re-read and re-hashed just now. */
export interface ProbedEdit {
  /** The edit was found. */
  readonly outcome: "accepted";
  /** Revision of the window. */
  readonly revision: number;
  /** None: a probe writes nothing. */
  readonly events: readonly [];
  /** The edit that was probed. */
  readonly ids: { readonly editId: string };
  /** Tokens of the window. */
  readonly tokens: number;
  /** Whether all that it took can still be had. */
  readonly recovery: Recovery;
  /** The spans whose content is not what was recorded, and what is wrong with it. */
  readonly lost: readonly {
    readonly spanId: string;
    /** Where the content was recorded. */
    readonly revision: number;
    readonly problem: string;
  }[];
}

/** What the reads give, by the name of the command: the same JSON as the command line's. */
export interface ReadAnswers {
  /** Of one edit. */
  probe: ProbedEdit;
  /** The window. */
  show: WindowView;
  /** Of every edit or of one, in order. */
  status: EditStatus[];
  /** Every claim, in order of first assertion. */
  claims: ClaimStatus[];
  /** Every policy, in the order they were written. */
  policies: PolicyStatus[];
  /** Every event, in order. */
  history: RecordedWindowEvent[];
}

/** The answer to a command that reads, of whatever name. */
export type ReadAnswer = ReadAnswers[ReadName] | Refused;

export function isRead(command: Command): command is ReadCommand {
  return Object.hasOwn(readCommandSchemas, command.command);
}

export async function answerRead(shell: Shell, command: ReadCommand): Promise<ReadAnswer> {
  await refresh(shell);
  const unusable = unusableWindow(shell);
  if (unusable !== undefined) return refusedWith(unusable);
  const misplaced = wrongRevision(shell.state, command.expectedRevision);
  if (misplaced !== undefined) return refusedWith(misplaced);
  switch (command.command) {
    case "show":
      return show(shell, command.at);
    case "policies":
      return policiesOf(shell);
    case "claims":
      return claims(shell, command.at);
    case "status":
      return status(shell, command.editId);
    case "probe":
      return probe(shell, command.editId);
    case "history":
      return history(shell.log, shell.state);
  }
}

/** The state at a revision and the live content there; a refusal when there is none. */
async function stateAt(
  { log, state, contents }: Shell,
  at: number | undefined,
): Promise<{ state: WindowState; contents: LiveContents } | Refused> {
  if (at === undefined) return { state, contents };
  if (at < 0 || at > state.revision) {
    const problem = `revision ${at} is not in 0..${state.revision}: choose one that is`;
    return refusedWith(refusal("out-of-range", problem, { at, last: state.revision }));
  }
  return replayWithContents(log, state.window, at);
}

/** Every policy in the order it was authored, with its diff, and the epochs that ran on it. */
async function policiesOf({ log, state }: Shell): Promise<PolicyStatus[]> {
  const statuses = new Map<string, PolicyStatus & { epochs: number[] }>();
  let active: string | undefined;
  for await (const page of log.read(windowStream(state.window), { to: state.revision })) {
    for (const event of page.map(upcast)) {
      if (event.type === "PolicyAuthored") {
        const { policyId, text, digest, previous, diff, epoch } = event.data;
        const { by, at } = event.metadata;
        const before = previous ?? null;
        statuses.set(policyId, {
          policyId,
          by,
          at,
          epoch,
          digest,
          previous: before,
          diff,
          text,
          epochs: [],
          active: false,
        });
      }
      if (event.type !== "EpochOpened") continue;
      active = event.data.policyId ?? active;
      if (active !== undefined) statuses.get(active)?.epochs.push(event.data.epoch);
    }
  }
  return [...statuses.values()].map((one) => ({ ...one, active: one.policyId === active }));
}

async function claims(shell: Shell, at: number | undefined): Promise<ClaimStatus[] | Refused> {
  const then = await stateAt(shell, at);
  if ("outcome" in then) return then;
  const grounds = groundSpans(then.state).map((span) => contentRef(then.state, span));
  return claimsOf(then.state, await readContent(shell.log, then.state.window, grounds));
}

async function show(shell: Shell, at: number | undefined): Promise<WindowView | Refused> {
  const then = await stateAt(shell, at);
  if ("outcome" in then) return then;
  const lookup = await then.contents.lookup(shell.log, then.state);
  const covered = await shell.coverage.upToNow(shell.log, then.state.window);
  const verified = covered === 0 ? null : Math.min(covered - 1, then.state.revision);
  return viewOf(then.state, lookup, tokenizerOf(shell), verified);
}

/** Status of one edit or of all, probed just now: a status that nobody checked helps nobody. */
async function status(shell: Shell, editId: string | undefined): Promise<EditStatus[] | Refused> {
  const { state, log } = shell;
  const named = editId === undefined ? undefined : findEdit(state, editId);
  if (editId !== undefined && named === undefined) return refusedWith(unknownEdit(editId));
  const edits = named === undefined ? [...state.edits] : [named];
  const facts = await probeEdits(shell, edits);
  return edits.map((edit) => statusOf(state, edit, facts, log.guarantees));
}

async function probe(shell: Shell, editId: string): Promise<ProbedEdit | Refused> {
  const { state } = shell;
  const edit = findEdit(state, editId);
  if (edit === undefined) return refusedWith(unknownEdit(editId));
  const facts = await probeEdits(shell, [edit]);
  const lost = recordedSpans(state, edit).flatMap((span) => {
    const fact = facts.get(span.contentRevision);
    return fact?.intact === false
      ? [{ spanId: span.id, revision: span.contentRevision, problem: fact.problem }]
      : [];
  });
  return {
    outcome: "accepted",
    revision: state.revision,
    events: [],
    ids: { editId },
    tokens: windowTokens(state, tokenizerOf(shell)).tokens,
    recovery: recoveryOf(state, edit, facts),
    lost,
  };
}

function probeEdits(
  { log, state }: Shell,
  edits: readonly Edit[],
): Promise<Map<number, ContentFact>> {
  const spans = edits.flatMap((edit) => recordedSpans(state, edit));
  return readContent(
    log,
    state.window,
    spans.map((span) => contentRef(state, span)),
  );
}

/** Every event of the window, in order. */
async function history(log: LogReader, state: WindowState): Promise<RecordedWindowEvent[]> {
  const events: RecordedWindowEvent[] = [];
  for await (const page of log.read(windowStream(state.window), { to: state.revision })) {
    for (const event of page) events.push(upcast(event));
  }
  return events;
}
