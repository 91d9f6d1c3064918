import { claimFinder } from "@palimpsest/claims";
import type { LeftOut, RefusalCode, Window } from "@palimpsest/core";
import { CommandRefusedError, parsePrincipal } from "@palimpsest/core";
import { Option } from "commander";
import { tokenBudget } from "../arguments.ts";
import type { Counted, ImportReport, SessionFormat } from "../import/report.ts";
import { sessionFormats } from "../import/report.ts";
import type { RecordedSession } from "../import/session.ts";
import { openSession } from "../import/session.ts";
import type { ImportNote } from "../import/step.ts";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { counted } from "../terminal/counted.ts";
import { EXIT, print, printJson, say } from "../terminal/output.ts";
import { startProgress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/safe.ts";
import type { Calls } from "./calls.ts";

export interface ImportOptions extends GlobalOptions {
  readonly format?: SessionFormat;
  readonly budget?: number;
  /** False: no claims are looked for. */
  readonly claims?: boolean;
}

/** What came of an import: the report of the recording and what the window holds then. */
export interface ImportResult extends ImportReport {
  readonly window: string;
  readonly revision: number;
  /** Events that this call added; 0 when the same file was imported before. */
  readonly added: number;
  /** Tokens of everything that was admitted, whatever is in view now. */
  readonly tokensAdmitted: number;
  /** Tokens of the live spans. */
  readonly tokens: number;
  readonly edits: number;
  /** Claims found by the extractor; an extracted claim is protected once cited or contested. */
  readonly claims: number;
  readonly contested: number;
  /** What this call found beyond the limits of extraction; its words are in the spans. */
  readonly leftOut: LeftOut;
  readonly notes: readonly ImportNote[];
}

export function addImportCall({ add, finish }: Calls): void {
  add("import", "read a recorded session into a window")
    .argument("<file>", "Claude Code JSONL, a Codex rollout, or an OpenAI-style chat")
    .addOption(
      new Option("--format <name>", "default: found by itself").choices([...sessionFormats]),
    )
    .option("--budget <tokens>", "budget of the window", tokenBudget)
    .option("--no-claims", "look for no claims in what users and tools said")
    .action((file: string, options) => finish((o) => importFile(file, o), options));
}

/** Reads a recorded session into a window that is not open yet. */
async function importFile(file: string, options: ImportOptions): Promise<number> {
  const finding = options.claims === false ? {} : { finder: claimFinder() };
  checkImporter(options.as[0] ?? "");
  // Before the store: what cannot be imported leaves no empty store behind.
  const session = await openSession(file, options);
  return withWindow(
    options,
    "make",
    async (window) => {
      const result = await importInto(window, session, options);
      await (options.json ? printJson(result) : print(reportText(result)));
      return EXIT.done;
    },
    finding,
  );
}

/** Before a window is opened that would stay empty. */
function checkImporter(by: string): void {
  const party = parsePrincipal(by)?.party;
  if (party !== "model" && party !== "verifier") return;
  const problem = `${by} may not admit what users and tools said`;
  throw refused("permission-denied", `${problem}: import with --as host/NAME or human/NAME`);
}

function refused(code: RefusalCode, message: string): CommandRefusedError {
  return new CommandRefusedError([{ code, message }]);
}

/**
 * Imports a session into `window`, a message an append. Command ids come from the bytes of the
 * file, so an import that was cut short goes on where it stopped when it is run again.
 */
export async function importInto(
  window: Window,
  session: RecordedSession,
  options: Pick<ImportOptions, "budget">,
): Promise<ImportResult> {
  const before = await revisionOf(window);
  const name = `import-${session.digest}`;
  await openFor(window, `${name}-open`, options.budget);
  const progress = startProgress(session.bytes);
  const notes: ImportNote[] = [];
  try {
    let step = 0;
    for await (const { commands, bytesRead, notes: some } of session.steps) {
      const commandId = `${name}-${step++}`;
      if (commands.length > 0) await window.batch(commands, { commandId });
      notes.push(...some);
      progress.update(bytesRead);
    }
  } finally {
    progress.stop();
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
    const how = budget === null ? "without --budget" : `with --budget ${budget}`;
    const was = `this file was imported into window ${window.id} ${how}`;
    throw refused(first.code, `${was}: say the same, or name another --window`);
  }
  if (first?.code === "window-exists") {
    const problem = `window ${window.id} is open already, and not by an import of these bytes`;
    throw refused(first.code, `${problem}: name another --window`);
  }
  throw new CommandRefusedError(answer.refusals);
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

/** The report for a person; what could not be placed is said first, what is zero is left out. */
export function reportText(result: ImportResult): string {
  for (const one of result.unplaced) say(`not placed: ${countText(one)}`);
  const chats = result.chats > 1 ? `${counted(result.chats, "chat")} as one window: ` : "";
  const edits = countsText([
    [result.compactions, "compaction"],
    [result.clearedResults, "cleared result"],
    [result.rollbacks, "rollback"],
  ]);
  const leftOut = countsText([
    [result.leftOut.claims, "claim"],
    [result.leftOut.conflicts, "conflict"],
  ]);
  const lines = [
    `${deedOf(result)} ${chats}${counted(result.messages, "message")} as ` +
      `${counted(result.spans, "span")} (${result.format})`,
    countsText([
      [result.calls, "tool call"],
      [result.results, "result"],
      [result.interruptedCalls, "call", "closed as interrupted"],
      [result.orphanResults, "result", "without a call"],
    ]),
    edits && `${edits}, as ${counted(result.edits, "edit")} that can be undone`,
    `${counted(result.tokensAdmitted, "token")} admitted, ${result.tokens} in view now`,
    result.claims === 0
      ? "0 claims: nothing is protected"
      : `${counted(result.claims, "claim")} found, ${result.contested} of them contested`,
    leftOut && `left out, since one source brings only so many: ${leftOut}`,
    countsText([
      [result.renamedCalls, "call", "renamed"],
      [result.renamedMessages, "message", "renamed"],
      [result.altered, "value", "stored as text"],
    ]),
    result.ignored.length > 0 &&
      `lines without conversation: ${result.ignored.map(countText).join(", ")}`,
  ];
  return `${lines.filter(Boolean).join("\n  ")}\n`;
}

function deedOf({ added, revision }: ImportResult): string {
  if (added === 0) return "imported already, nothing was added:";
  return added > revision ? "imported" : "went on with an import that was cut short:";
}

/** What was counted, without what is zero; empty when everything is. */
function countsText(counts: readonly (readonly [count: number, thing: string, how?: string])[]) {
  return counts
    .filter(([count]) => count > 0)
    .map(([count, thing, how]) => `${counted(count, thing)}${how === undefined ? "" : ` ${how}`}`)
    .join(", ");
}

/** A recording's own words may be in `what`. */
function countText({ what, count, firstAt }: Counted): string {
  return `${count} × ${safeLine(what, 60)} (first at ${firstAt})`;
}
