import type { ClaimKind, Origin, SourceRef, SpanKind } from "../events/schema.ts";
import type { Json } from "../json/json.ts";

/*
 * The commands as a caller writes them: the TypeScript form of the schemas in schema.ts, which
 * check the same at run time. An optional field may be left out or be undefined, and lists may be
 * read-only. A type test holds the two together.
 */

/** What every command may have. */
export interface CommonFields<Name extends string> {
  /** Name of the command. */
  readonly command: Name;
  /** Id of this command; sent again, it gets the answer of the first time. Default: minted. */
  readonly commandId?: string | undefined;
  /**
   * Who acts: `party/name`, or a bare name, which belongs to `model`. Default: the first principal
   * that the process vouches for.
   */
  readonly by?: string | undefined;
  /** The tool call that asked for this command. Default: none. */
  readonly via?: string | undefined;
  /**
   * Revision at which the window must be, `no-stream` for one that is not open, or `any`. Default:
   * `any`.
   */
  readonly expectedRevision?: number | "no-stream" | "any" | undefined;
}

/** Opens the window. */
export interface OpenWindow extends CommonFields<"openWindow"> {
  /** Tokens that the window should not exceed; it is shown and refuses nothing. Default: none. */
  readonly budgetTokens?: number | undefined;
  /** Name of the tokenizer that counts. Default: `utf8-bytes/4`. */
  readonly tokenizer?: string | undefined;
}

/** Admits one block of context. */
export interface AdmitSpan extends CommonFields<"admitSpan"> {
  /** Id of the new span. Default: minted. */
  readonly spanId?: string | undefined;
  /** Who the content is from. */
  readonly origin: Origin;
  /** What the content is. Default: `text`. */
  readonly kind?: SpanKind | undefined;
  /** What the span holds: text, or any JSON. */
  readonly content: Json;
  /** The message that the block is a part of, and its place there from 0. Default: none. */
  readonly message?: { readonly id: string; readonly index: number } | undefined;
  /** The tool call that a span of kind `tool-call` or `tool-result` belongs to. Default: none. */
  readonly call?: string | undefined;
  /** The tool, and how the call of it ended. Default: none. */
  readonly tool?:
    | {
        readonly name: string;
        readonly status?: "ok" | "error" | "denied" | "interrupted";
      }
    | undefined;
  /** Spans of one group are live together or not at all. Default: none. */
  readonly group?: string | undefined;
  /** The content stays as it is or leaves: nothing rewrites it alone. Default: false. */
  readonly sealed?: boolean | undefined;
  /** No rewrite or evict takes it. Default: true for origin `system`, else false. */
  readonly pinned?: boolean | undefined;
  /** The source that was read, and the SHA-256 of what it held. Default: none. */
  readonly source?: { readonly uri: string; readonly digest: string } | undefined;
  /** What the provider's own format needs, kept as it is. Default: none. */
  readonly provider?: Json | undefined;
}

/** Notes that the model read these spans. */
export interface MarkRead extends CommonFields<"markRead"> {
  /** Ids of live spans, at least one, none of them twice. */
  readonly spanIds: readonly string[];
}

/** Replaces neighbouring live spans by one new span. */
export interface Rewrite extends CommonFields<"rewrite"> {
  /** Id of the edit. Default: minted. */
  readonly editId?: string | undefined;
  /** Ids of live spans, at least one, none of them twice. */
  readonly consumes: readonly string[];
  /** What the new span holds. */
  readonly content: Json;
  /** Id of the new span. Default: minted. */
  readonly spanId?: string | undefined;
}

/** Takes live spans out of view. */
export interface Evict extends CommonFields<"evict"> {
  /** Id of the edit. Default: minted. */
  readonly editId?: string | undefined;
  /** Ids of live spans, at least one, none of them twice. */
  readonly consumes: readonly string[];
}

/** How an edit is undone: as it is, with all that was built on it, or merged out of that. */
export type UndoStrategy = "revert" | "cascade" | "merge";

/** Takes an edit back. */
export interface Undo extends CommonFields<"undo"> {
  /** The edit to take back. */
  readonly editId: string;
  /** Id of the edit that this makes. Default: minted. */
  readonly as?: string | undefined;
  /** Default: `revert`. */
  readonly strategy?: UndoStrategy | undefined;
  /** Resolves a merge conflict; with strategy `merge` only. Default: merged by lines. */
  readonly content?: Json | undefined;
}

/** Puts an undone edit in force again. */
export interface Redo extends CommonFields<"redo"> {
  /** The edit to put in force again. */
  readonly editId: string;
  /** Id of the edit that this makes. Default: minted. */
  readonly as?: string | undefined;
}

/** Makes the window what it was. */
export interface Rewind extends CommonFields<"rewind"> {
  /** A revision where an append ended; 0 is the empty window. */
  readonly to: number;
  /** Id of the edit that this makes. Default: minted. */
  readonly as?: string | undefined;
  /** Also over calls that have no result yet; their late results are refused. Default: false. */
  readonly abandonOpenCalls?: boolean | undefined;
}

/** Brings the content of a span out of view back as a new span. */
export interface Recall extends CommonFields<"recall"> {
  /** The span to bring back. */
  readonly spanId: string;
  /** Id of the new span. Default: minted. */
  readonly as?: string | undefined;
}

/** Renders the window, and records that it did. */
export interface Render extends CommonFields<"render"> {}

/** Says what somebody relies on. */
export interface AssertClaim extends CommonFields<"assertClaim"> {
  /** Id of the claim; one that was made before keeps its own. Default: minted. */
  readonly claimId?: string | undefined;
  /** Default: `fact`. */
  readonly kind?: ClaimKind | undefined;
  /** The claim in words. */
  readonly statement: string;
  /** What the statement is about. Default: none. */
  readonly scope?: string | undefined;
  /** What the claim gives a value to; together with `value` only. Default: none. */
  readonly key?: string | undefined;
  /** Two claims of one scope and key with two values contest each other. Default: none. */
  readonly value?: Json | undefined;
  /** The claim must not lose its last carrier unseen. Default: false. */
  readonly evidence?: boolean | undefined;
  /** Id of the live span that says so. Default: none. */
  readonly carrier?: string | undefined;
  /** Words of the carrier, literally. Default: chosen from its content. */
  readonly quote?: string | undefined;
  /** What the claim rests on. Default: the carrier and the quote. */
  readonly because?: readonly SourceRef[] | undefined;
  /** Id of the claim that it takes the place of. Default: none. */
  readonly supersedes?: string | undefined;
}

/** Takes a claim back, for ever. */
export interface RetractClaim extends CommonFields<"retractClaim"> {
  /** The claim to take back. */
  readonly claimId: string;
  /** Why, in words. */
  readonly reason: string;
  /** Id of the claim that takes its place. Default: none. */
  readonly supersededBy?: string | undefined;
}

/** Notes that two claims are in tension. */
export interface NoteConflict extends CommonFields<"noteConflict"> {
  /** Id of one claim. */
  readonly a: string;
  /** Id of the other. */
  readonly b: string;
  /** Default: none. */
  readonly note?: string | undefined;
}

/** Writes a policy. */
export interface AuthorPolicy extends CommonFields<"authorPolicy"> {
  /** Id of the policy. Default: minted. */
  readonly policyId?: string | undefined;
  /** The text of the policy, or the document itself. */
  readonly document: Json;
}

/** Closes the epoch and opens the next one. */
export interface OpenEpoch extends CommonFields<"openEpoch"> {
  /** Id of the policy that the new epoch runs on. Default: the one of the epoch before. */
  readonly policyId?: string | undefined;
}

/** What a proposal may name: the id of a span to evict, or a replacement for some. */
export type PruningCandidate =
  | string
  | { readonly consumes: readonly string[]; readonly content: Json };

/** Says what should be pruned. */
export interface ProposePruning extends CommonFields<"proposePruning"> {
  /** Id of the proposal. Default: minted. */
  readonly proposalId?: string | undefined;
  /** Default: the active policy picks. Nothing is judged before settlement. */
  readonly candidates?: readonly PruningCandidate[] | undefined;
  /** Id of the policy that picked. Default: the active one, unless candidates are named. */
  readonly policyId?: string | undefined;
  /** Revision of the window that was looked at. Default: the one of this moment. */
  readonly baseRevision?: number | undefined;
  /** Why, in words. Default: none. */
  readonly rationale?: string | undefined;
}

/** Commits or refuses a proposal. */
export interface SettlePruning extends CommonFields<"settlePruning"> {
  /** The proposal to settle. */
  readonly proposalId: string;
  /** Default: `commit`. */
  readonly decision?: "commit" | "refuse" | undefined;
  /** `refuse`: rather prune nothing than leave evidence to the ledger alone. Default: `carry`. */
  readonly onEvidence?: "carry" | "refuse" | undefined;
  /** Whatever carries a contested claim or evidence stays, whoever asks. Default: false. */
  readonly unattended?: boolean | undefined;
  /** Why it is refused. Default: none. */
  readonly reason?: string | undefined;
}

/** Says what a source holds now. */
export interface ObserveSource extends CommonFields<"observeSource"> {
  /** Which source. */
  readonly uri: string;
  /** SHA-256 of what it holds; null: it is gone. */
  readonly digest: string | null;
}

/** Re-reads and re-hashes what an edit took. */
export interface Probe extends CommonFields<"probe"> {
  /** The edit to look at. */
  readonly editId: string;
}

/** Asks for the window as the model sees it. */
export interface Show extends CommonFields<"show"> {
  /** Revision after which. Default: the last one. */
  readonly at?: number | undefined;
}

/** Asks for every policy. */
export interface Policies extends CommonFields<"policies"> {}

/** Asks for every claim. */
export interface Claims extends CommonFields<"claims"> {
  /** Revision after which. Default: the last one. */
  readonly at?: number | undefined;
}

/** Asks for the status of edits. */
export interface Status extends CommonFields<"status"> {
  /** Default: every edit. */
  readonly editId?: string | undefined;
}

/** Asks for every event. */
export interface History extends CommonFields<"history"> {}
