import { createInterface } from "node:readline";
import type { AnswerOf, CommandOf, Preview, Window } from "@palimpsest/core";
import { isRefused, unifiedDiff } from "@palimpsest/core";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, say, sayRefused, UsageError } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";

type Settle = CommandOf<"settlePruning">;
type Settled = AnswerOf<"settlePruning">;

const WENT_ON = "wrong-expected-revision";

export interface ReviewOptions extends GlobalOptions {
  readonly commit?: boolean;
  readonly refuse?: boolean;
  readonly reason?: string;
  readonly onEvidence?: "carry" | "refuse";
}

/** Shows what settling a proposal would make of the window, and settles it when told to. */
export function review(proposalId: string, options: ReviewOptions): Promise<number> {
  if (options.commit && options.refuse) {
    throw new UsageError("--commit and --refuse exclude each other");
  }
  const { onEvidence } = options;
  if (onEvidence !== undefined && onEvidence !== "carry" && onEvidence !== "refuse") {
    throw new UsageError("--on-evidence takes carry or refuse");
  }
  const settle: Settle = {
    command: "settlePruning",
    proposalId,
    ...(onEvidence !== undefined && { onEvidence }),
  };
  const decision = options.commit ? "commit" : options.refuse ? "refuse" : undefined;
  const canAsk = decision === undefined && !options.json && process.stdin.isTTY;
  const use = decision !== undefined || canAsk ? "change" : "look";
  return withWindow(options, use, async (window) => {
    if (canAsk) return asked(window, settle, options);
    const preview = await window.preview(settle);
    if (!options.json) await print(previewText(preview));
    if (decision !== undefined) {
      return tellAnswer(await send(window, { ...settle, decision }, options), options);
    }
    if (options.json) await printJson(preview);
    return exitOf(preview);
  });
}

type Decision = "commit" | "refuse";

/** Asks until the answer is about the window as it is: nobody decides on what they did not see. */
async function asked(window: Window, settle: Settle, options: ReviewOptions): Promise<number> {
  for (;;) {
    const { preview, expectedRevision } = await previewAtRevision(window, settle);
    await print(previewText(preview));
    const decision = await ask();
    if (decision === undefined) return exitOf(preview);
    const answer = await send(window, { ...settle, decision, expectedRevision }, options);
    if (!wentOn(answer)) return tellAnswer(answer, options);
    say("nothing is settled: the window went on meanwhile, and this is what it would be now");
  }
}

/** A preview and the revision that it is of. */
async function previewAtRevision(window: Window, settle: Settle) {
  for (;;) {
    const { revision: expectedRevision } = await window.show();
    try {
      const preview = await window.preview({ ...settle, expectedRevision });
      return { preview, expectedRevision };
    } catch (error) {
      if (!isRefused(error, WENT_ON)) throw error;
    }
  }
}

function wentOn(answer: Settled): boolean {
  return answer.outcome === "refused" && answer.refusals.some(({ code }) => code === WENT_ON);
}

/** What the person wants done; undefined for neither, which is also what the end of input says. */
async function ask(): Promise<Decision | undefined> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  lines.setPrompt("commit or refuse? [c/r, anything else: neither] ");
  lines.prompt();
  for await (const answer of lines) {
    return answer === "c" ? "commit" : answer === "r" ? "refuse" : undefined;
  }
  say("");
  return undefined;
}

async function send(window: Window, command: Settle, { reason }: ReviewOptions): Promise<Settled> {
  const why = command.decision === "refuse" && reason !== undefined ? { reason } : {};
  return window.execute({ ...command, ...why });
}

async function tellAnswer(answer: Settled, options: ReviewOptions): Promise<number> {
  if (options.json) await printJson(answer);
  else if (answer.outcome === "refused") sayRefused(answer.refusals);
  else if (answer.outcome === "accepted") say(`settled: ${answer.settlement}`);
  return answer.outcome === "refused" ? EXIT.refused : EXIT.done;
}

function exitOf({ refusals }: Preview): number {
  return refusals.length > 0 ? EXIT.refused : EXIT.done;
}

/** What goes, what stays and why, what it costs, and what the ledger gains: as one diff. */
function previewText({ settlement, refusals, before, after }: Preview): string {
  const retained = (settlement?.retained ?? []).map(({ spanId, why }) => `  ${spanId}: ${why}`);
  const lines = [
    unifiedDiff(before.rendered, after.rendered),
    ...(retained.length > 0 ? ["stays, and why:", ...retained] : []),
    ...refusals.map(({ code, message }) => `would be refused (${code}): ${message}`),
    `tokens: ${before.tokens} → ${after.tokens}`,
    "",
  ];
  return safeText(lines.join("\n"));
}
