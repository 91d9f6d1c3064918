import { List, Map as PersistentMap, Set as PersistentSet } from "immutable";
import type { WindowEventOf } from "../events/schema.ts";
import type { Claim, ClaimState } from "./claims.ts";
import type { MutableCommandIndex } from "./command-index.ts";
import { CommandIndex } from "./command-index.ts";
import type { Edit, MarkState } from "./marks.ts";
import { SlotTable } from "./slots.ts";
import type { Span, Spans } from "./spans.ts";
import { noSpans } from "./spans.ts";

export type { Span } from "./spans.ts";

/** A policy as it was authored; `EpochOpened` says which epoch runs on it. */
export interface AuthoredPolicy {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  /** Epoch it was authored in: it is active in a later one at the earliest. */
  readonly epoch: number;
}

/** What somebody wants pruned; nothing is judged before it is settled. */
export interface Proposal {
  readonly id: string;
  readonly by: string;
  readonly policyId: string | undefined;
  readonly baseRevision: number;
  readonly candidates: WindowEventOf<"PruningProposed">["data"]["candidates"];
  readonly outcome?: WindowEventOf<"PruningSettled">["data"]["outcome"];
}

export type RecoveryRecord = WindowEventOf<"RecoveryRecorded">["data"];

/**
 * The state of one window: a fold of its stream. Every collection that grows is persistent, so a
 * state is a value: it may be kept, branched from and compared, and the next one shares all but
 * the few entries an event touched.
 */
export interface WindowState extends MarkState, ClaimState {
  readonly window: string;
  /** Revision of the last event folded; −1 before the window is open. */
  readonly revision: number;
  readonly tokenizer: string;
  readonly budget: number | undefined;
  readonly epoch: number;
  /** The policy of this epoch, by id. */
  readonly activePolicy: string | undefined;
  /** A user or a tool spoke in this epoch, so it may be closed. */
  readonly epochHasInput: boolean;
  readonly policies: PersistentMap<string, AuthoredPolicy>;
  readonly lastPolicy: string | undefined;
  readonly proposals: PersistentMap<string, Proposal>;
  /** Spans that an undo, redo or rewind of this epoch brought back, by index. */
  readonly revived: PersistentSet<number>;
  readonly spans: Spans;
  readonly slots: SlotTable;
  readonly slotCount: number;
  /** How often a span was read or recalled, and when last, in messages; by index. */
  readonly reads: PersistentMap<number, { readonly count: number; readonly last: number }>;
  /** Number of messages so far; a span without one is a message of its own. */
  readonly messageCount: number;
  readonly editOrdinal: PersistentMap<string, number>;
  readonly recordCount: number;
  /** Number of edits that are not closed. */
  readonly unclosedCount: number;
  /** The record that the next edit belongs to, and where it stands. */
  readonly openRecord:
    | (RecoveryRecord & { readonly revision: number; readonly commandId: string })
    | undefined;
  /** Last revision of every append, ascending: where a rewind may go. */
  readonly boundaries: List<number>;
  /** First revision of the append that a command caused, by commandId. */
  readonly commands: CommandIndex | MutableCommandIndex;
  readonly liveCount: number;
  /** Tokens of the live spans. */
  readonly liveTokens: number;
  /**
   * Digests that a recovery record names where they are not the digest of the span's birth. Such
   * content counts as lost: one of the two was changed in the store, and nobody can tell which.
   */
  readonly disputed: PersistentMap<number, string>;
  /** Number of consumed spans. */
  readonly outOfView: number;
  /** Least position that changed since the last `WindowRendered`; null when nothing did. */
  readonly firstChanged: number | null;
}

export function initialState(window: string): WindowState {
  return {
    window,
    revision: -1,
    tokenizer: "",
    budget: undefined,
    epoch: 1,
    activePolicy: undefined,
    epochHasInput: false,
    policies: PersistentMap(),
    lastPolicy: undefined,
    proposals: PersistentMap(),
    revived: PersistentSet(),
    marks: List(),
    spans: noSpans,
    slots: SlotTable.empty,
    slotCount: 0,
    messageCount: 0,
    reads: PersistentMap(),
    edits: List<Edit>(),
    editOrdinal: PersistentMap(),
    merges: PersistentMap(),
    recordCount: 0,
    unclosedCount: 0,
    openRecord: undefined,
    boundaries: List(),
    commands: CommandIndex.empty,
    liveCount: 0,
    liveTokens: 0,
    disputed: PersistentMap(),
    outOfView: 0,
    firstChanged: null,
    claims: List<Claim>(),
    claimIndex: PersistentMap(),
    claimIdentity: PersistentMap(),
    subjects: PersistentMap(),
    noted: PersistentMap(),
    restOnClaim: PersistentMap(),
    restOnSpan: PersistentMap(),
    restOnUri: PersistentMap(),
    carriedBy: PersistentMap(),
    recalls: PersistentMap(),
    spansOf: PersistentMap(),
    sources: PersistentMap(),
    verified: PersistentSet(),
    watched: PersistentSet(),
    ledgerKey: [],
  };
}

export function spanAt(state: WindowState, index: number): Span {
  const span = state.spans.get(index);
  if (span === undefined) throw new RangeError(`no span has index ${index}`);
  return span;
}

export function findSpan(state: WindowState, id: string): Span | undefined {
  const index = state.spans.indexOf(id);
  return index === undefined ? undefined : spanAt(state, index);
}

export function findEdit(state: WindowState, id: string): Edit | undefined {
  const ordinal = state.editOrdinal.get(id);
  return ordinal === undefined ? undefined : state.edits.get(ordinal - 1);
}

/** Number of spans born at or before `revision`, which is the index of the first later one. */
export function bornUpTo(state: WindowState, revision: number): number {
  return upperBound(state.spans.size, (i) => spanAt(state, i).revision <= revision);
}

/** The last append boundary at or before `revision`; undefined before the first. */
export function boundaryAtOrBefore(state: WindowState, revision: number): number | undefined {
  const { boundaries } = state;
  const later = upperBound(boundaries.size, (i) => (boundaries.get(i) ?? 0) <= revision);
  return later === 0 ? undefined : boundaries.get(later - 1);
}

/** First index in 0..size for which `holds` fails; it must hold on a prefix. */
function upperBound(size: number, holds: (index: number) => boolean): number {
  let low = 0;
  let high = size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
