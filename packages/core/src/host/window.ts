import type { AcceptedBatch, Answer, NothingToDo, UndoneBy } from "../commands/answers.ts";
import type {
  BatchableName,
  CommandInputs,
  Named,
  NamedItems,
  ReadName,
  WriteName,
} from "../commands/by-name.ts";
import type { Plan } from "../commands/plan.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import type { Json } from "../json/json.ts";
import type { EventLog } from "../log/port.ts";
import type { ClaimStatus } from "../view/claim-status.ts";
import type { EditStatus } from "../view/status.ts";
import type { WindowView } from "../view/window-view.ts";
import type { AnswerOf, Done, WithIds } from "./answer-of.ts";
import { answerTo, doneOf, isRefusedAnswer, readOf } from "./answer-of.ts";
import { refusedError } from "./errors.ts";
import type { LeftOut } from "./finder.ts";
import type { Preview } from "./preview.ts";
import type { PruneOptions } from "./prune.ts";
import type { PolicyStatus, ProbedEdit, ReadAnswer, ReadAnswers } from "./read.ts";
import type { WindowOptions } from "./runner.ts";
import { CommandRunner } from "./runner.ts";

/** The fields of a command, for a method that names the command itself. */
export type Fields<N extends keyof CommandInputs> = Omit<CommandInputs[N], "command">;
/** Those that most callers leave out: `commandId`, `by`, `via`, `expectedRevision` and the like. */
export type Extras<N extends keyof CommandInputs, Used extends string> = Omit<Fields<N>, Used>;

/**
 * One agent's window. Commands run one after another in the order they were sent; when another
 * process wrote meanwhile, they are decided on what it left.
 *
 * Every method but `execute` and `executeJson` throws `CommandRefusedError`, or one of its kinds,
 * for a refusal. All of them reject with `LogError` when the store fails, with
 * `EventNotUnderstoodError` for an event of a later version, and with `TypeError` when a tokenizer
 * gives no whole number.
 */
export class Window {
  /** Id of the window. */
  readonly id: string;
  readonly #runner: CommandRunner;

  /**
   * A handle on a window of the log, open or not. Throws `TypeError` for what is no window id, for
   * a principal that is not `party/name`.
   */
  constructor(log: EventLog, id: string, options: WindowOptions = {}) {
    this.id = id;
    this.#runner = new CommandRunner(log, id, options);
  }

  /** Runs a command in the form of design §8 and gives its answer, refusals included. */
  async execute<N extends keyof CommandInputs>(command: Named<N>): Promise<AnswerOf<N>> {
    return answerTo<N>(await this.#runner.execute(command));
  }

  /**
   * As `execute`, for a command that comes from outside as JSON: any value at all. What is no
   * command is refused as `invalid-command`.
   */
  executeJson(command: unknown): Promise<Answer | ReadAnswer> {
    return this.#runner.execute(command);
  }

  /** Says what a command would do, without doing it. Throws what the command would. */
  async plan(
    command: CommandInputs["undo" | "redo" | "rewind" | "rewrite" | "evict"],
  ): Promise<Plan> {
    const plan = await this.#runner.plan(command);
    if (isRefusedAnswer(plan)) throw refusedError(plan.refusals);
    return plan;
  }

  /**
   * Shows what settling a proposal would make of the window, without settling it. That the rules
   * would refuse it is in the preview; throws for any other refusal.
   */
  async preview(command: CommandInputs["settlePruning"]): Promise<Preview> {
    const preview = await this.#runner.preview(command);
    if (isRefusedAnswer(preview)) throw refusedError(preview.refusals);
    return preview;
  }

  /** Admits one block of context as `spanId`, and asserts what the finder finds in it. */
  admit(span: Fields<"admitSpan">): Promise<Done<"admitSpan">> {
    return this.#finding({ command: "admitSpan", ...span });
  }

  /**
   * Numbers of what the finder found, or failed to find, and this handle did not assert: beyond
   * limits, refused, malformed. The words themselves are in the spans.
   */
  get leftOut(): LeftOut {
    return this.#runner.leftOut;
  }

  /** Several commands as one append: all or nothing. Asserts what the finder finds in them. */
  batch<const Names extends readonly BatchableName[]>(
    commands: NamedItems<Names>,
    extras?: Extras<"batch", "commands">,
  ): Promise<WithIds<AcceptedBatch<Names>> | NothingToDo>;
  batch(
    commands: CommandInputs["batch"]["commands"],
    extras: Extras<"batch", "commands"> = {},
  ): Promise<Done<"batch">> {
    return this.#finding({ command: "batch", commands, ...extras });
  }

  /** Replaces live spans, with no live span between them, by one new span. */
  rewrite(
    consumes: readonly string[],
    content: Json,
    extras: Extras<"rewrite", "consumes" | "content"> = {},
  ): Promise<Done<"rewrite">> {
    return this.#done({ command: "rewrite", consumes, content, ...extras });
  }

  /** Takes live spans out of view. */
  evict(
    consumes: readonly string[],
    extras: Extras<"evict", "consumes"> = {},
  ): Promise<Done<"evict">> {
    return this.#done({ command: "evict", consumes, ...extras });
  }

  /**
   * Takes an edit back. By `cascade` it may make several edits, by `merge` a rewrite, or nothing.
   * Throws `IrreversibleEditError` when the content it took is lost.
   */
  undo(
    editId: string,
    extras?: Extras<"undo", "editId" | "strategy" | "content"> & {
      readonly strategy?: "revert" | undefined;
    },
  ): Promise<WithIds<UndoneBy<"revert">>>;
  undo(editId: string, extras: Extras<"undo", "editId">): Promise<Done<"undo">>;
  undo(editId: string, extras: Extras<"undo", "editId"> = {}): Promise<Done<"undo">> {
    return this.#done({ command: "undo", editId, ...extras });
  }

  /**
   * Puts an undone edit in force again. Throws `IrreversibleEditError` when content that it brings
   * back is lost.
   */
  redo(editId: string, extras: Extras<"redo", "editId"> = {}): Promise<Done<"redo">> {
    return this.#done({ command: "redo", editId, ...extras });
  }

  /**
   * Makes the window what it was after the event at revision `to`; itself an edit. Throws
   * `IrreversibleEditError` when content that it brings back is lost.
   */
  rewind(to: number, extras: Extras<"rewind", "to"> = {}): Promise<Done<"rewind">> {
    return this.#done({ command: "rewind", to, ...extras });
  }

  /**
   * Brings the content of a span out of view back as a new span at the end. Throws
   * `IrreversibleEditError` when the content is lost.
   */
  recall(spanId: string, extras: Extras<"recall", "spanId"> = {}): Promise<Done<"recall">> {
    return this.#done({ command: "recall", spanId, ...extras });
  }

  /** Notes that the model read these live spans. */
  markRead(
    spanIds: readonly string[],
    extras: Extras<"markRead", "spanIds"> = {},
  ): Promise<Done<"markRead">> {
    return this.#done({ command: "markRead", spanIds, ...extras });
  }

  /** The rendering to hand to a model (`rendered`), and a record in the log that it was. */
  render(extras: Fields<"render"> = {}): Promise<Done<"render">> {
    return this.#done({ command: "render", ...extras });
  }

  /** Re-reads and re-hashes what an edit took; `recovery` is `proven` or `lost`. */
  async probe(editId: string): Promise<WithIds<ProbedEdit>> {
    const { ids, ...found } = await this.#read({ command: "probe", editId });
    return { ...found, ...ids };
  }

  /** The window as the model sees it, now or after the event at revision `at`. */
  show(at?: number): Promise<WindowView> {
    return this.#read({ command: "show", at });
  }

  /** Status of every edit, or of one, with its content probed just now. */
  status(editId?: string): Promise<EditStatus[]> {
    return this.#read({ command: "status", editId });
  }

  /** Every claim with its standing, its grounds probed just now, or after revision `at`. */
  claims(at?: number): Promise<ClaimStatus[]> {
    return this.#read({ command: "claims", at });
  }

  /** Says what somebody relies on. Said again, it keeps the `claimId` of the first time. */
  assert(claim: Fields<"assertClaim">): Promise<Done<"assertClaim">> {
    return this.#done({ command: "assertClaim", ...claim });
  }

  /** Takes a claim back, for ever. */
  retract(
    claimId: string,
    reason: string,
    extras: Extras<"retractClaim", "claimId" | "reason"> = {},
  ): Promise<Done<"retractClaim">> {
    return this.#done({ command: "retractClaim", claimId, reason, ...extras });
  }

  /** Notes that two claims are in tension though they have no key in common. */
  noteConflict(
    a: string,
    b: string,
    extras: Extras<"noteConflict", "a" | "b"> = {},
  ): Promise<Done<"noteConflict">> {
    return this.#done({ command: "noteConflict", a, b, ...extras });
  }

  /**
   * Says what a source holds now (null: it is gone); what rests on it stands or falls with it. That
   * it changed after it was read is noted beside what was read, unless nobody looks for claims.
   */
  observe(
    uri: string,
    digest: string | null,
    extras: Extras<"observeSource", "uri" | "digest"> = {},
  ): Promise<Done<"observeSource">> {
    return this.#finding({ command: "observeSource", uri, digest, ...extras });
  }

  /** Writes a policy; it is active in a later epoch at the earliest. */
  authorPolicy(
    document: Json,
    extras: Extras<"authorPolicy", "document"> = {},
  ): Promise<Done<"authorPolicy">> {
    return this.#done({ command: "authorPolicy", document, ...extras });
  }

  /** Closes the epoch and opens the next one, on the policy named or on the same as before. */
  openEpoch(extras: Fields<"openEpoch"> = {}): Promise<Done<"openEpoch">> {
    return this.#done({ command: "openEpoch", ...extras });
  }

  /** Says what should be pruned; without candidates the active policy picks. */
  propose(extras: Fields<"proposePruning"> = {}): Promise<Done<"proposePruning">> {
    return this.#done({ command: "proposePruning", ...extras });
  }

  /**
   * Commits or refuses a proposal, in the name of someone who had no hand in it. Throws
   * `ProvenanceOrphanError`, `ConflictAsymmetryError` or `RecoveryRegionError` where the rules
   * refuse it; that is in the log then.
   */
  settle(
    proposalId: string,
    extras: Extras<"settlePruning", "proposalId"> = {},
  ): Promise<Done<"settlePruning">> {
    return this.#done({ command: "settlePruning", proposalId, ...extras });
  }

  /**
   * Prunes: the active policy (or, while none is, a ready one) proposes as one principal, and a
   * rule commits as another. The answer's `settlement` says what came of it, `retained` what
   * stayed and why. Throws as `settle` does.
   */
  async prune(options: PruneOptions = {}): Promise<Done<"settlePruning"> | NothingToDo> {
    const answer = await this.#runner.prune(options);
    if (answer.outcome === "nothing-to-do") return answer;
    return doneOf<"settlePruning">(answer);
  }

  /** Every policy that was authored, with its diff and the epochs that ran on it. */
  policies(): Promise<PolicyStatus[]> {
    return this.#read({ command: "policies" });
  }

  /** Every event of the window. */
  history(): Promise<RecordedWindowEvent[]> {
    return this.#read({ command: "history" });
  }

  async #finding<N extends WriteName | "batch">(command: Named<N>): Promise<Done<N>> {
    return doneOf<N>(await this.#runner.executeFinding(command));
  }

  async #done<N extends WriteName | "batch">(command: Named<N>): Promise<Done<N>> {
    return doneOf<N>(await this.#runner.execute(command));
  }

  async #read<N extends ReadName>(command: Named<N>): Promise<ReadAnswers[N]> {
    return readOf<N>(await this.#runner.execute(command));
  }
}
