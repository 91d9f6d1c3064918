import type { Accepted, Answer, NothingToDo, Refused } from "../commands/answers.ts";
import type { CommandName, CommandOf } from "../commands/schema.ts";
import type { RecordedWindowEvent } from "../events/schema.ts";
import type { Json } from "../json/json.ts";
import type { EventLog } from "../log/port.ts";
import type { ClaimStatus } from "../view/claim-status.ts";
import type { Plan } from "../view/plan.ts";
import type { EditStatus } from "../view/status.ts";
import type { WindowView } from "../view/window-view.ts";
import { refusedError } from "./errors.ts";
import type { LeftOut } from "./finder.ts";
import type { Preview } from "./preview.ts";
import type { PruneOptions } from "./prune.ts";
import type { PolicyStatus, ReadAnswer } from "./read.ts";
import type { WindowOptions } from "./runner.ts";
import { CommandRunner } from "./runner.ts";

/** The fields of a command, for a method that names the command itself. */
type Fields<N extends CommandName> = Omit<CommandOf<N>, "command">;
/** Those that most callers leave out: `commandId`, `by`, `via`, `expectedRevision` and the like. */
type Extras<N extends CommandName, Used extends string> = Omit<Fields<N>, Used>;

/** What a method resolves to that may find nothing to do. */
export type Done = Accepted | NothingToDo;

export interface OpenOptions extends WindowOptions {
  /** Budget of a window that is opened by this call; it refuses nothing, it is shown. */
  readonly budgetTokens?: number;
  /** Name of the tokenizer of a window that is opened by this call. */
  readonly tokenizer?: string;
}

/**
 * One agent's window. Commands run one after another in the order they were sent; when another
 * process wrote meanwhile, they are decided on what it left.
 *
 * Every method but `execute` throws `CommandRefusedError` (or one of its kinds) for a refusal.
 */
export class Window {
  readonly id: string;
  readonly #runner: CommandRunner;

  constructor(log: EventLog, id: string, options: WindowOptions = {}) {
    this.id = id;
    this.#runner = new CommandRunner(log, id, options);
  }

  /** Runs a command in the form of design §8 and gives its answer, refusals included. */
  execute(command: unknown): Promise<Answer | ReadAnswer> {
    return this.#runner.execute(command);
  }

  /** Says what a command would do, without doing it. Throws what the command would. */
  async plan(command: CommandOf<"undo" | "redo" | "rewind" | "rewrite" | "evict">): Promise<Plan> {
    const plan = await this.#runner.plan(command);
    if (isRefusedAnswer(plan)) throw refusedError(plan.refusals);
    return plan;
  }

  /** Shows what settling a proposal would make of the window, without settling it. */
  async preview(command: CommandOf<"settlePruning">): Promise<Preview> {
    const preview = await this.#runner.preview(command);
    if (isRefusedAnswer(preview)) throw refusedError(preview.refusals);
    return preview;
  }

  /** Admits one block of context, and asserts what the finder finds; `ids.spanId` names it. */
  admit(span: Fields<"admitSpan">): Promise<Accepted> {
    return this.#admitting({ command: "admitSpan", ...span }) as Promise<Accepted>;
  }

  /**
   * Numbers of what the finder found, or failed to find, and this handle did not assert: beyond
   * limits, refused, malformed. The words themselves are in the spans.
   */
  get leftOut(): LeftOut {
    return this.#runner.leftOut;
  }

  /** Several commands as one append: all or nothing. */
  batch(commands: readonly unknown[], extras: Extras<"batch", "commands"> = {}): Promise<Done> {
    return this.#admitting({ command: "batch", commands, ...extras });
  }

  /** Replaces live spans, with no live span between them, by one new span. */
  rewrite(
    consumes: readonly string[],
    content: Json,
    extras: Extras<"rewrite", "consumes" | "content"> = {},
  ): Promise<Done> {
    return this.#done({ command: "rewrite", consumes, content, ...extras });
  }

  /** Takes live spans out of view. */
  evict(consumes: readonly string[], extras: Extras<"evict", "consumes"> = {}): Promise<Accepted> {
    return this.#accepted({ command: "evict", consumes, ...extras });
  }

  /** Takes an edit back. Throws `IrreversibleEditError` when the content it took is lost. */
  undo(editId: string, extras: Extras<"undo", "editId"> = {}): Promise<Done> {
    return this.#done({ command: "undo", editId, ...extras });
  }

  /** Puts an undone edit in force again. */
  redo(editId: string, extras: Extras<"redo", "editId"> = {}): Promise<Accepted> {
    return this.#accepted({ command: "redo", editId, ...extras });
  }

  /** Makes the window what it was after the event at revision `to`; itself an edit. */
  rewind(to: number, extras: Extras<"rewind", "to"> = {}): Promise<Done> {
    return this.#done({ command: "rewind", to, ...extras });
  }

  /** Brings the content of a span out of view back as a new span at the end. */
  recall(spanId: string, extras: Extras<"recall", "spanId"> = {}): Promise<Done> {
    return this.#done({ command: "recall", spanId, ...extras });
  }

  markRead(spanIds: readonly string[], extras: Extras<"markRead", "spanIds"> = {}) {
    return this.#accepted({ command: "markRead", spanIds, ...extras });
  }

  /** The rendering to hand to a model (`rendered`), and a record in the log that it was. */
  render(extras: Fields<"render"> = {}): Promise<Accepted> {
    return this.#accepted({ command: "render", ...extras });
  }

  /** Re-reads and re-hashes what an edit took; `recovery` is `proven` or `lost`. */
  probe(editId: string): Promise<Accepted> {
    return this.#accepted({ command: "probe", editId });
  }

  /** The window as the model sees it, now or after the event at revision `at`. */
  show(at?: number): Promise<WindowView> {
    return this.#read<WindowView>({ command: "show", ...(at !== undefined && { at }) });
  }

  /** Status of every edit, or of one, with its content probed just now. */
  status(editId?: string): Promise<EditStatus[]> {
    return this.#read<EditStatus[]>({
      command: "status",
      ...(editId !== undefined && { editId }),
    });
  }

  /** Every claim with its standing, its grounds probed just now. */
  claims(at?: number): Promise<ClaimStatus[]> {
    return this.#read<ClaimStatus[]>({ command: "claims", ...(at !== undefined && { at }) });
  }

  /** Says what somebody relies on. The answer's `ids.claimId` is that of the first time. */
  assert(claim: Fields<"assertClaim">): Promise<Accepted> {
    return this.#accepted({ command: "assertClaim", ...claim });
  }

  /** Takes a claim back, for ever. */
  retract(
    claimId: string,
    reason: string,
    extras: Extras<"retractClaim", "claimId" | "reason"> = {},
  ): Promise<Accepted> {
    return this.#accepted({ command: "retractClaim", claimId, reason, ...extras });
  }

  /** Notes that two claims are in tension though they have no key in common. */
  noteConflict(
    a: string,
    b: string,
    extras: Extras<"noteConflict", "a" | "b"> = {},
  ): Promise<Done> {
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
  ): Promise<Done> {
    return this.#admitting({ command: "observeSource", uri, digest, ...extras });
  }

  /** Writes a policy; it is active in a later epoch at the earliest. */
  authorPolicy(document: Json, extras: Extras<"authorPolicy", "document"> = {}): Promise<Accepted> {
    return this.#accepted({ command: "authorPolicy", document, ...extras });
  }

  /** Closes the epoch and opens the next one, on the policy named or on the same as before. */
  openEpoch(extras: Fields<"openEpoch"> = {}): Promise<Accepted> {
    return this.#accepted({ command: "openEpoch", ...extras });
  }

  /** Says what should be pruned; without candidates the active policy picks. */
  propose(extras: Fields<"proposePruning"> = {}): Promise<Done> {
    return this.#done({ command: "proposePruning", ...extras });
  }

  /** Commits or refuses a proposal, in the name of someone who had no hand in it. */
  settle(
    proposalId: string,
    extras: Extras<"settlePruning", "proposalId"> = {},
  ): Promise<Accepted> {
    return this.#accepted({ command: "settlePruning", proposalId, ...extras });
  }

  /**
   * Prunes: the active policy (or, while none is, a ready one) proposes as one principal, and a
   * rule commits as another. The answer's `settlement` says what came of it, `retained` what
   * stayed and why.
   */
  async prune(options: PruneOptions = {}): Promise<Done> {
    return unlessRefused(await this.#runner.prune(options));
  }

  /** Every policy that was authored, with its diff and the epochs that ran on it. */
  policies(): Promise<PolicyStatus[]> {
    return this.#read<PolicyStatus[]>({ command: "policies" });
  }

  /** Every event of the window. */
  history(): Promise<RecordedWindowEvent[]> {
    return this.#read<RecordedWindowEvent[]>({ command: "history" });
  }

  async #admitting(command: object): Promise<Done> {
    return unlessRefused((await this.#runner.executeFinding(command)) as Answer);
  }

  async #done(command: object): Promise<Done> {
    return unlessRefused((await this.execute(command)) as Answer);
  }

  async #accepted(command: object): Promise<Accepted> {
    return (await this.#done(command)) as Accepted;
  }

  async #read<T>(command: object): Promise<T> {
    const answer = await this.execute(command);
    if (isRefusedAnswer(answer)) throw refusedError(answer.refusals);
    return answer as T;
  }
}

function unlessRefused(answer: Answer): Done {
  if (answer.outcome === "refused") throw refusedError(answer.refusals);
  return answer;
}

function isRefusedAnswer(answer: object): answer is Refused {
  return "outcome" in answer && answer.outcome === "refused";
}

/** Opens a window of the log, or attaches to it when it is open already. */
export async function openWindow(
  log: EventLog,
  id: string,
  { budgetTokens, tokenizer, ...options }: OpenOptions = {},
): Promise<Window> {
  const window = new Window(log, id, options);
  const answer = (await window.execute({
    command: "openWindow",
    budgetTokens,
    tokenizer,
  })) as Answer;
  const refusals = answer.outcome === "refused" ? answer.refusals : [];
  if (refusals.some(({ code }) => code !== "window-exists")) throw refusedError(refusals);
  return window;
}
