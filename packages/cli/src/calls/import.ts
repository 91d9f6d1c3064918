import type { Answer, Window } from "@palimpsest/core";
import { isRefused } from "@palimpsest/core";
import { Option } from "commander";
import { wholeNumber } from "../arguments.ts";
import type { Counted, ImportReport, SessionFormat } from "../import/report.ts";
import { sessionFormats } from "../import/report.ts";
import type { RecordedSession } from "../import/session.ts";
import { openSession } from "../import/session.ts";
import type { ImportNote, ImportStep } from "../import/step.ts";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { counted } from "../terminal/counted.ts";
import { EXIT, print, printJson, say, sayRefused } from "../terminal/output.ts";
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
  /** Tokens of everything that was admitted, whatever is in view now. */
  readonly tokensAdmitted: number;
  /** Tokens of the live spans. */
  readonly tokens: number;
  readonly edits: number;
  /** Claims found by the extractor; an extracted claim is protected once cited or contested. */
  readonly claims: number;
  readonly contested: number;
  readonly notes: readonly ImportNote[];
}

export function addImportCall({ add, finish }: Calls): void {
  add("import", "read a recorded session into a window")
    .argument("<file>", "Claude Code JSONL, a Codex rollout, or an OpenAI-style chat")
    .addOption(
      new Option("--format <name>", "default: found by itself").choices([...sessionFormats]),
    )
    .option("--budget <tokens>", "budget of the window", wholeNumber)
    .option("--no-claims", "look for no claims in what users and tools said")
    .action((file: string, options) => finish((o) => importFile(file, o), options));
}

/** Reads a recorded session into a window that is not open yet. */
async function importFile(file: string, options: ImportOptions): Promise<number> {
  const extracting = options.claims === false ? { extractor: false as const } : {};
  // Before the store: what cannot be imported leaves no empty store behind.
  const session = await openSession(file, options);
  return withWindow(
    options,
    "make",
    async (window) => {
      const result = await importInto(window, session, options);
      if ("outcome" in result) {
        if (options.json) await printJson(result);
        else sayRefused(result.outcome === "refused" ? result.refusals : []);
        return EXIT.refused;
      }
      await (options.json ? printJson(result) : print(reportText(result)));
      return EXIT.done;
    },
    extracting,
  );
}

/**
 * Imports a session into `window`, a message an append. Command ids come from the bytes of the file,
 * so an import that was cut short goes on where it stopped when it is run again.
 */
export async function importInto(
  window: Window,
  session: RecordedSession,
  options: Pick<ImportOptions, "budget">,
): Promise<ImportResult | Answer> {
  const name = `import-${session.digest}`;
  const opened = (await window.execute({
    command: "openWindow",
    commandId: `${name}-open`,
    budgetTokens: options.budget,
  })) as Answer;
  if (opened.outcome === "refused") return opened;
  const progress = startProgress(session.bytes);
  const notes: ImportNote[] = [];
  try {
    let step = 0;
    for await (const { commands, bytesRead, notes: some } of session.steps) {
      const answer = await send(window, commands, `${name}-${step++}`);
      if (answer?.outcome === "refused") return answer;
      notes.push(...some);
      progress.update(bytesRead);
    }
  } finally {
    progress.stop();
  }
  return resultOf(window, session.report, notes);
}

async function send(
  window: Window,
  commands: ImportStep["commands"],
  commandId: string,
): Promise<Answer | undefined> {
  if (commands.length === 0) return undefined;
  try {
    return await window.batch(commands, { commandId });
  } catch (error) {
    if (isRefused(error)) return { outcome: "refused", refusals: error.refusals };
    throw error;
  }
}

async function resultOf(
  window: Window,
  report: ImportReport,
  notes: readonly ImportNote[],
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
    tokensAdmitted: admitted,
    tokens: view.tokens,
    edits: view.ledger.edits,
    claims: claims.length,
    contested: claims.filter(({ conflicts }) => conflicts.length > 0).length,
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
  const lines = [
    `imported ${chats}${counted(result.messages, "message")} as ` +
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
