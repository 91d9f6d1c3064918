import type { RetainedWhy, WindowEventType } from "../events/schema.ts";
import type { BatchableName, WriteName } from "./by-name.ts";
import type { UndoStrategy } from "./inputs.ts";
import type { Refusal } from "./refusals.ts";

/*
 * What the commands that write answer. `Answer` is what is known when the command is not;
 * `AcceptedOf` and the types below it say what the answer to a command of that name holds. They
 * are plain JSON, and none has fields but those that are written here.
 */

/** What every accepted command answers. The same commandId gets the same answer for ever. */
interface AcceptedBase {
  /** The command is in the log. */
  readonly outcome: "accepted";
  /** Revision of the last event of the append. */
  readonly revision: number;
  /** Types of the events appended, in order. */
  readonly events: readonly WindowEventType[];
  /** Tokens of the window after the command. */
  readonly tokens: number;
  /** Present and true when `tokens` is above the window's budget. */
  readonly overBudget?: true;
}

/** Ids of what a command made or acted on: `spanId`, or `spanIds` when there are several. */
export interface AnswerIds {
  /** The id that the command has, also where it was minted. */
  readonly commandId: string;
  /** The window that was opened. */
  readonly window?: string;
  /** The span that was born. */
  readonly spanId?: string;
  /** The spans that were born, in order. */
  readonly spanIds?: readonly string[];
  /** The edit that was made. */
  readonly editId?: string;
  /** The edits that were made, in order. */
  readonly editIds?: readonly string[];
  /** The claim that was asserted or retracted. */
  readonly claimId?: string;
  /** The claims that were asserted or retracted, each once, in order of first mention. */
  readonly claimIds?: readonly string[];
  /** The policy that was written. */
  readonly policyId?: string;
  /** The policies that were written, in order. */
  readonly policyIds?: readonly string[];
  /** The proposal that was made or settled. */
  readonly proposalId?: string;
  /** The proposals that were made or settled, each once, in order of first mention. */
  readonly proposalIds?: readonly string[];
  /** The edit that an undo or a redo is about. */
  readonly target?: string;
}

/** What an edit did to the window. */
export interface Moves {
  /** Ids of the spans that went out of view, in order of position. */
  readonly left: readonly string[];
  /** Ids of the spans that came back into view, in order of position. */
  readonly returned: readonly string[];
  /** First position that changed; null when none did. */
  readonly firstChanged: number | null;
}

/** What came of a proposal. */
export interface Settlement {
  /** `empty`: everything that it named has to stay. */
  readonly settlement: "committed" | "empty" | "refused";
  /** What was named and stays, and why. */
  readonly retained: readonly { readonly spanId: string; readonly why: RetainedWhy }[];
}

/** What came of several proposals, in order; instead of `settlement` and `retained`. */
export interface Settlements {
  /** One for each proposal that was settled. */
  readonly settlements: readonly ({ readonly proposalId: string } & Settlement)[];
}

/** What was handed to a model. */
export interface Rendering {
  /** SHA-256 of the rendering. */
  readonly digest: string;
  /** The text itself. */
  readonly rendered: string;
}

/** An accepted command of whatever name. */
export interface Accepted
  extends AcceptedBase,
    Partial<Moves>,
    Partial<Settlement>,
    Partial<Settlements>,
    Partial<Rendering> {
  /** Ids of the command and of what it made or acted on. */
  readonly ids: AnswerIds;
}

/** Nothing was changed, and why. */
export interface Refused {
  /** The command is not in the log, unless it is a settlement that says so. */
  readonly outcome: "refused";
  /** At least one, at most 100; the rest is counted in the last. */
  readonly refusals: readonly Refusal[];
}

/** As `Refused`; a settlement that is refused by rule is in the log, and says where. */
export interface RefusedSettlement extends Refused {
  /** Revision of the event; absent, like the two below, when nothing was written. */
  readonly revision?: number;
  /** Types of the events appended. */
  readonly events?: readonly WindowEventType[];
  /** Ids of the command and of the proposal. */
  readonly ids?: { readonly commandId: string; readonly proposalId: string };
}

/** The command would have changed nothing; no event, no ordinal. */
export interface NothingToDo {
  /** The window is already as the command would make it. */
  readonly outcome: "nothing-to-do";
}

/** The answer to a command that writes, of whatever name. */
export type Answer = Accepted | RefusedSettlement | NothingToDo;

type Kind = "span" | "edit" | "claim" | "policy" | "proposal";
/** The ids of one kind: none, one in the singular, or several. */
type Some<K extends Kind> = Pick<AnswerIds, `${K}Id` | `${K}Ids`>;
type OneOrSeveral<K extends Kind> =
  | ({ readonly [P in `${K}Id`]: string } & { readonly [P in `${K}Ids`]?: never })
  | ({ readonly [P in `${K}Ids`]: readonly string[] } & { readonly [P in `${K}Id`]?: never });

interface With<Ids> extends AcceptedBase {
  /** Ids of the command and of what it made or acted on. */
  readonly ids: Pick<AnswerIds, "commandId"> & Ids;
}

interface SpanIds {
  readonly spanId: string;
}
interface EditIds {
  readonly editId: string;
}
interface ReversedIds extends EditIds {
  /** The edit that was taken back or put in force. */
  readonly target: string;
}
interface ClaimIds {
  readonly claimId: string;
}

/** What an undo makes: one edit, with `cascade` perhaps several, with `merge` perhaps a rewrite. */
interface UndoIds {
  revert: ReversedIds & { readonly editIds?: never; readonly spanId?: never };
  cascade: OneOrSeveral<"edit"> & { readonly target: string; readonly spanId?: never };
  merge: EditIds & {
    readonly editIds?: never;
    readonly target?: string;
    readonly spanId?: string;
  };
}

/** What is accepted, by the name of the command. */
interface AcceptedAnswers {
  openWindow: With<{ readonly window: string }>;
  /** Claims: those that a finder found in it. */
  admitSpan: With<SpanIds & Some<"claim">>;
  markRead: With<unknown>;
  rewrite: With<SpanIds & EditIds> & Moves;
  evict: With<EditIds> & Moves;
  undo: With<UndoIds[UndoStrategy]> & Moves;
  redo: With<ReversedIds> & Moves;
  rewind: With<EditIds> & Moves;
  recall: With<SpanIds>;
  render: With<unknown> & Rendering;
  assertClaim: With<ClaimIds>;
  retractClaim: With<ClaimIds>;
  noteConflict: With<unknown>;
  /** Claims: those that a finder found. */
  observeSource: With<Some<"claim">>;
  authorPolicy: With<{ readonly policyId: string }>;
  openEpoch: With<unknown>;
  proposePruning: With<{ readonly proposalId: string }>;
  settlePruning: With<{ readonly proposalId: string } & Some<"edit"> & Some<"span">> &
    Settlement &
    Partial<Moves>;
  batch: With<AnswerIds> & Partial<Moves> & Partial<Settlement> & Partial<Settlements>;
}

/** What a command of this name answers when it is accepted. */
export type AcceptedOf<N extends WriteName | "batch"> = AcceptedAnswers[N];
/** What an undo by this strategy answers when it is accepted. */
export type UndoneBy<S extends UndoStrategy> = With<UndoIds[S]> & Moves;

/** The commands that may find that nothing would change. */
type Idle =
  | "rewrite"
  | "undo"
  | "rewind"
  | "recall"
  | "noteConflict"
  | "observeSource"
  | "proposePruning"
  | "batch";

/** What a command of this name that writes answers; of several names, the answer of one of them. */
export type WriteAnswerOf<N extends WriteName | "batch"> = N extends WriteName | "batch"
  ?
      | AcceptedOf<N>
      | (N extends "settlePruning" | "batch" ? RefusedSettlement : Refused)
      | (N extends Idle ? NothingToDo : never)
  : never;

/** The commands of a batch that surely name one id of a kind, each another one. */
interface Sure {
  span: "admitSpan";
  edit: "evict" | "redo";
  policy: "authorPolicy";
}
/** Those that may name some: none, several, or one that was named before. */
interface Maybe {
  span: "rewrite" | "undo" | "recall" | "settlePruning";
  edit: "rewrite" | "undo" | "rewind" | "settlePruning";
  policy: never;
}
type Place = keyof Sure;

/** The names in a tuple that are among `Wanted`. */
type Among<Ns extends readonly unknown[], Wanted> = Ns extends readonly [infer N, ...infer Rest]
  ? N extends Wanted
    ? [N, ...Among<Rest, Wanted>]
    : Among<Rest, Wanted>
  : [];

/** The ids of one kind in the answer to a batch of these commands. */
type IdsIn<Ns extends readonly BatchableName[], K extends Place> = number extends Ns["length"]
  ? Some<K>
  : Among<Ns, Maybe[K]> extends []
    ? Counted<Among<Ns, Sure[K]>, K>
    : Some<K>;

type Counted<Ns extends readonly unknown[], K extends Place> = Ns extends []
  ? unknown
  : Ns extends [unknown]
    ? { readonly [P in `${K}Id`]: string }
    : { readonly [P in `${K}Ids`]: readonly string[] };

/** Of what may be named twice, or found, it is not known beforehand how many there are. */
type BatchIds<Ns extends readonly BatchableName[]> = IdsIn<Ns, "span"> &
  IdsIn<Ns, "edit"> &
  IdsIn<Ns, "policy"> &
  Some<"claim"> &
  ("proposePruning" extends Ns[number] ? Some<"proposal"> : unknown) &
  ("settlePruning" extends Ns[number] ? Some<"proposal"> : unknown) &
  ("openWindow" extends Ns[number] ? Pick<AnswerIds, "window"> : unknown) &
  ("undo" extends Ns[number] ? Pick<AnswerIds, "target"> : unknown) &
  ("redo" extends Ns[number] ? Pick<AnswerIds, "target"> : unknown);

/** What a batch of these commands answers when it is accepted. */
export type AcceptedBatch<Ns extends readonly BatchableName[]> = With<BatchIds<Ns>> &
  Partial<Moves> &
  ("settlePruning" extends Ns[number] ? Partial<Settlement> & Partial<Settlements> : unknown);
