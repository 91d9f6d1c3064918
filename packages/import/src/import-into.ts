import type { LeftOut, RefusalCode, RefusalDetails, Window } from "@palimpsest/core";
import { CommandRefusedError } from "@palimpsest/core";
import type { ImportReport } from "./report.ts";
import type { RecordedSession } from "./session.ts";
import type { ImportNote } from "./step.ts";

/** How far an import is; told after each append. */
export interface ImportProgress {
  /** Bytes of the file whose messages are in the window. */
  readonly bytesRead: number;
  /** Bytes of the whole file. */
  readonly bytes: number;
}

export interface ImportIntoOptions {
  /**
   * Budget of the window, in tokens of its tokenizer; it refuses nothing, it is shown. Default: the
   * window has none.
   */
  readonly budgetTokens?: number | undefined;
  /** Called after each append, in order. What it throws ends the import. Default: none. */
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
}

/** What came of an import: the report of the recording and what the window holds then. */
export interface ImportResult extends ImportReport {
  /** Id of the window. */
  readonly window: string;
  /** Revision of its last event. */
  readonly revision: number;
  /** Events that this import added; 0 when the same file was imported before. */
  readonly added: number;
  /** Tokens of everything that was admitted, whatever is in view now. */
  readonly tokensAdmitted: number;
  /** Tokens of the live spans. */
  readonly tokens: number;
  /** Edits in the window: compactions, cleared results and rollbacks of the recording. */
  readonly edits: number;
  /** Claims in the window; one that was found is protected once it is cited or contested. */
  readonly claims: number;
  /** How many of the claims are in an open conflict. */
  readonly contested: number;
  /** What was found beyond the limits of what one source may bring; its words are in the spans. */
  readonly leftOut: LeftOut;
  /** What a person may want to look at, in the order of the recording. */
  readonly notes: readonly ImportNote[];
}

/**
 * Imports a session into `window`, one append for each step. The import opens the window. The
 * handle is the host's: it says who admits (its first principal, which must be of party `host` or
 * `human`, since others may not admit what users and tools said) and who looks for claims.
 *
 * The ids of commands come from the bytes of the file. So an import that was cut short goes on
 * where it stopped when the same file is imported into the same window again, and one that was
 * complete adds nothing. A session can be read once: open it anew for each import.
 *
 * Throws a `CommandRefusedError` with code `window-exists` when the window is open already and
 * not by an import of these bytes, and `command-id-reused` when it was imported with another budget
 * (which the refusal holds in `budget`; null for none). Rejects with what the log rejects with, and
 * with an `ImportError` when the file can no longer be read.
 */
export async function importInto(
  window: Window,
  session: RecordedSession,
  { budgetTokens, onProgress }: ImportIntoOptions = {},
): Promise<ImportResult> {
  const before = await revisionOf(window);
  const name = `import-${session.digest}`;
  await openFor(window, `${name}-open`, budgetTokens);
  const notes: ImportNote[] = [];
  let step = 0;
  for await (const { commands, bytesRead, notes: more } of session.steps) {
    const commandId = `${name}-${step}`;
    step += 1;
    if (commands.length > 0) await window.batch(commands, { commandId });
    notes.push(...more);
    onProgress?.({ bytesRead, bytes: session.bytes });
  }
  return resultOf(window, session.report, notes, before);
}

/** Revision of the last event; -1 for a window that is not open. */
async function revisionOf(window: Window): Promise<number> {
  const view = await window.execute({ command: "show" });
  return "revision" in view ? view.revision : -1;
}

/** Opens the window, which this import may have done before; refuses in terms of an import. */
async function openFor(
  window: Window,
  commandId: string,
  budgetTokens: number | undefined,
): Promise<void> {
  const answer = await window.execute({ command: "openWindow", commandId, budgetTokens });
  if (answer.outcome !== "refused") return;
  const [first] = answer.refusals;
  if (first?.code === "command-id-reused") {
    const { budget } = await window.show();
    const how = budget === null ? "without a budget" : `with a budget of ${budget} tokens`;
    throw refused(first.code, `this file was imported into window ${window.id} ${how}`, { budget });
  }
  if (first?.code === "window-exists") {
    const problem = `window ${window.id} is open already, and not by an import of these bytes`;
    throw refused(first.code, problem);
  }
  throw new CommandRefusedError(answer.refusals);
}

function refused(code: RefusalCode, message: string, more: RefusalDetails = {}) {
  return new CommandRefusedError([{ code, message, ...more }]);
}

async function resultOf(
  window: Window,
  report: ImportReport,
  notes: readonly ImportNote[],
  before: number,
): Promise<ImportResult> {
  const view = await window.show();
  const claims = await window.claims();
  const admitted = (await window.history()).reduce(
    (sum, event) => sum + (event.type === "SpanAdmitted" ? event.data.tokens : 0),
    0,
  );
  return {
    ...report,
    window: window.id,
    revision: view.revision,
    added: view.revision - before,
    tokensAdmitted: admitted,
    tokens: view.tokens,
    edits: view.ledger.edits,
    claims: claims.length,
    contested: claims.filter(({ conflicts }) => conflicts.length > 0).length,
    leftOut: window.leftOut,
    notes,
  };
}
