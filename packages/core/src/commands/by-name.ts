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
  readonly commands: readonly BatchItem[];
}

/** Every command by its name, as a caller writes it. */
export interface CommandInputs extends BatchableInputs {
  batch: Batch;
  render: Render;
  probe: Probe;
  show: Show;
  status: Status;
  claims: Claims;
  policies: Policies;
  history: History;
}

/** The commands that answer and write nothing. */
export type ReadName = "probe" | "show" | "status" | "claims" | "policies" | "history";
export type WriteName = Exclude<keyof CommandInputs, ReadName | "batch">;

/** A command of this name; of several names, one of them. */
export type CommandInputOf<N extends keyof CommandInputs> = CommandInputs[N];
export type WriteInput = CommandInputOf<WriteName>;
export type ReadInput = CommandInputOf<ReadName>;
export type CommandInput = CommandInputOf<keyof CommandInputs>;

/**
 * The argument of a function that takes a command and answers by its name `N`: the compiler finds
 * `N` in the first half, and checks every field against the second.
 */
export type Named<N extends keyof CommandInputs> = { readonly command: N } & CommandInputs[N];

/** The commands of a batch by their names, in order. */
export type NamedItems<Ns extends readonly BatchableName[]> = {
  readonly [I in keyof Ns]: { readonly command: Ns[I] } & BatchItemOf<Ns[I]>;
};
