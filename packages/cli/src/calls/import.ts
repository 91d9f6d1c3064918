import { claimFinder } from "@palimpsest/claims";
import type { Refusal, Window } from "@palimpsest/core";
import { CommandRefusedError, isRefused, parsePrincipal } from "@palimpsest/core";
import type {
  Counted,
  ImportProgress,
  ImportResult,
  RecordedSession,
  SessionFormat,
} from "@palimpsest/import";
import { importInto, openSession } from "@palimpsest/import";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { counted } from "../terminal/counted.ts";
import { EXIT, print, printJson, say } from "../terminal/output.ts";
import { startProgress } from "../terminal/progress.ts";
import { safeLine } from "../terminal/safe.ts";

export interface ImportOptions extends GlobalOptions {
  readonly format?: SessionFormat;
  readonly budget?: number;
  /** False: no claims are looked for. */
  readonly claims?: boolean;
}

/** Reads a recorded session into a window that is not open yet. */
export async function importFile(file: string, options: ImportOptions): Promise<number> {
  const finding = options.claims === false ? {} : { finder: claimFinder() };
  checkImporter(options.as[0] ?? "");
  // Before the store: what cannot be imported leaves no empty store behind.
  const session = await openSession(file, options);
  return withWindow(
    options,
    "make",
    async (window) => {
      const result = await importWithProgress(window, session, options.budget);
      await (options.json ? printJson(result) : print(importText(result)));
      return EXIT.done;
    },
    finding,
  );
}

/** Before a window is opened that would stay empty. */
function checkImporter(by: string): void {
  const party = parsePrincipal(by)?.party;
  if (party !== "model" && party !== "verifier") return;
  const message = `${by} may not admit what users and tools said: import with --as host/NAME or human/NAME`;
  throw new CommandRefusedError([{ code: "permission-denied", message }]);
}

async function importWithProgress(
  window: Window,
  session: RecordedSession,
  budgetTokens: number | undefined,
): Promise<ImportResult> {
  const progress = startProgress(session.bytes);
  const onProgress = ({ bytesRead }: ImportProgress) => progress.update(bytesRead);
  try {
    return await importInto(window, session, { budgetTokens, onProgress });
  } catch (error) {
    throw isRefused(error) ? withAdvice(error) : error;
  } finally {
    progress.stop();
  }
}

/** A refusal to open the window, with the options that would help. */
function withAdvice(error: CommandRefusedError): CommandRefusedError {
  const [first, ...others] = error.refusals;
  if (first?.code === "window-exists") {
    return advised(first, "name another --window", others);
  }
  if (first?.code !== "command-id-reused") return error;
  const { budget } = first;
  const same = budget === null ? "leave --budget out" : `say --budget ${budget}`;
  return advised(first, `${same}, or name another --window`, others);
}

function advised(refusal: Refusal, advice: string, others: readonly Refusal[]) {
  return new CommandRefusedError([
    { ...refusal, message: `${refusal.message}: ${advice}` },
    ...others,
  ]);
}

/** The report for a person; what could not be placed is said first, what is zero is left out. */
export function importText(result: ImportResult): string {
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
