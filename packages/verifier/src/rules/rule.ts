import type { Json, RecordedWindowEvent, WindowEventType } from "@palimpsest/core/events";
import type { Fold } from "../fold/fold.ts";
import type { EditPlan } from "../fold/plan.ts";

/** The families that rules come in, one file each. */
export type Family = "history" | "records" | "algebra" | "bonds" | "claims" | "policy" | "shown";

/** What a rule says of itself. */
export interface RuleInfo {
  /** Names the rule, in findings and in `--rules`; unique. */
  readonly code: string;
  readonly family: Family;
  /** What holds when the rule finds nothing, in one sentence. */
  readonly proves: string;
}

/** Something a rule found, and the event that breaks it. */
export interface Finding {
  /** The code of the rule. */
  readonly code: string;
  /** Revision of the event that breaks the rule; -1 when there is no event to point at. */
  readonly revision: number;
  /** Id of that event, or the empty string. */
  readonly id: string;
  /** For a person. It names ids and revisions and repeats no content. */
  readonly message: string;
  /** `verdict` when the event is in the verdict stream; absent when it is in the window. */
  readonly stream?: "verdict" | undefined;
}

/** One event, the state before it, and what it will do if it is an edit. */
export interface Place {
  readonly event: RecordedWindowEvent;
  readonly fold: Fold;
  readonly plan: EditPlan | undefined;
  /** The event before it, if that one could be read. */
  readonly previous: RecordedWindowEvent | undefined;
  /** SHA-256 of the content that the event brings, recomputed; undefined when it brings none. */
  readonly contentDigest: string | undefined;
  /** The text of that content. */
  readonly contentText: string | undefined;
  /** Content of an earlier span, by content revision; undefined when the store no longer has it. */
  readonly contentAt: (revision: number) => Json | undefined;
  readonly tokensOf: ((text: string) => number) | undefined;
  /** When the event settles a proposal. */
  readonly settling: Settling | undefined;
}

/** What a settlement did: its edits stand before it, so the state is the one that they led to. */
export interface Settling {
  readonly plans: readonly EditPlan[];
  /** Tokens of live spans and claim lines before its first edit and after its last. */
  readonly tokensBefore: number | undefined;
  readonly tokensAfter: number | undefined;
}

/** A rule about single events, asked before the event is folded. */
export interface EventRule extends RuleInfo {
  readonly on: readonly WindowEventType[] | "every";
  /** Says what is wrong, in a sentence; undefined when nothing is. */
  check(place: Place): string | undefined;
}

/** An append that is complete, and the state after it. */
export interface AppendPlace {
  readonly events: readonly RecordedWindowEvent[];
  readonly fold: Fold;
  /** What each edit of the append did, in order. */
  readonly plans: readonly EditPlan[];
}

export interface Broken {
  readonly message: string;
  /** The event that breaks the rule; the last one of the append unless said otherwise. */
  readonly event?: RecordedWindowEvent | undefined;
}

/** A rule about the state at the end of an append. */
export interface AppendRule extends RuleInfo {
  check(place: AppendPlace): Broken | undefined;
}

/** The party of a principal. */
export function partyOf(by: string): string {
  return by.slice(0, by.indexOf("/"));
}

/** Ids for a message: at most five of them. */
export function listed(ids: readonly string[]): string {
  if (ids.length === 0) return "none";
  return ids.slice(0, 5).join(", ") + (ids.length > 5 ? ` and ${ids.length - 5} more` : "");
}
