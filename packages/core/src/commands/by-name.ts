import type {
  AdmitSpan,
  AssertClaim,
  AuthorPolicy,
  Claims,
  CommonFields,
  Evict,
  History,
  MarkRead,
  NoteConflict,
  ObserveSource,
  OpenEpoch,
  OpenWindow,
  Policies,
  Probe,
  ProposePruning,
  Recall,
  Redo,
  Render,
  RetractClaim,
  Rewind,
  Rewrite,
  SettlePruning,
  Show,
  Status,
  Undo,
} from "./inputs.ts";

/** The commands that may stand in a batch, by name, as a caller writes them. */
interface BatchableInputs {
  openWindow: OpenWindow;
  admitSpan: AdmitSpan;
  markRead: MarkRead;
  rewrite: Rewrite;
  evict: Evict;
  undo: Undo;
  redo: Redo;
  rewind: Rewind;
  recall: Recall;
  assertClaim: AssertClaim;
  retractClaim: RetractClaim;
  noteConflict: NoteConflict;
  observeSource: ObserveSource;
  authorPolicy: AuthorPolicy;
  openEpoch: OpenEpoch;
  proposePruning: ProposePruning;
  settlePruning: SettlePruning;
}

export type BatchableName = keyof BatchableInputs;

/** One command of a batch: it may have its own `by` and `via`, the rest is the batch's. */
export type BatchItemOf<N extends BatchableName> = N extends BatchableName
  ? Omit<BatchableInputs[N], "commandId" | "expectedRevision">
  : never;

/** Any command of a batch. */
export type BatchItem = BatchItemOf<BatchableName>;

/** Several commands as one append, all or nothing; each sees what the ones before it did. */
export interface Batch extends CommonFields<"batch"> {
  /** The commands, in order. */
  readonly commands: readonly BatchItem[];
}

/** Every command by its name, as a caller writes it. */
export interface CommandInputs extends BatchableInputs {
  /** One append of several commands. */
  batch: Batch;
  /** Not in a batch: it alone needs the content of the window. */
  render: Render;
  /** Writes nothing, like all that follow. */
  probe: Probe;
  /** Looks at the window. */
  show: Show;
  /** Looks at edits. */
  status: Status;
  /** Looks at claims. */
  claims: Claims;
  /** Looks at policies. */
  policies: Policies;
  /** Looks at events. */
  history: History;
}

export type CommandName = keyof CommandInputs;
/** The commands that answer and write nothing. */
export type ReadName = "probe" | "show" | "status" | "claims" | "policies" | "history";
export type WriteName = Exclude<CommandName, ReadName | "batch">;

/** A command of this name; of several names, one of them. */
export type CommandInputOf<N extends CommandName> = CommandInputs[N];
export type WriteInput = CommandInputOf<WriteName>;
export type ReadInput = CommandInputOf<ReadName>;
export type CommandInput = CommandInputOf<CommandName>;

/**
 * The argument of a function that takes a command and answers by its name `N`: the compiler finds
 * `N` in the first half, and checks every field against the second.
 */
export type Named<N extends CommandName> = { readonly command: N } & CommandInputs[N];

/** The commands of a batch by their names, in order. */
export type NamedItems<Ns extends readonly BatchableName[]> = {
  readonly [I in keyof Ns]: { readonly command: Ns[I] } & BatchItemOf<Ns[I]>;
};
