import { createInterface } from "node:readline/promises";
import type { Answer, CommandOf, Preview, Window } from "@palimpsest/core";
import { unifiedDiff } from "@palimpsest/core";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, say, sayRefused, UsageError } from "../terminal/output.ts";
import { safeText } from "../terminal/safe.ts";
import type { Calls } from "./calls.ts";

interface ReviewOptions extends GlobalOptions {
  readonly commit?: boolean;
  readonly refuse?: boolean;
  readonly reason?: string;
  readonly onEvidence?: "carry" | "refuse";
}

export function addReviewCall({ add, finish }: Calls): void {
  add("review", "look at a proposal, then commit or refuse it in your name (--as human/NAME)")
    .argument("<proposal>", "id of the proposal")
    .option("--commit", "commit it without asking")
    .option("--refuse", "refuse it without asking")
    .option("--reason <text>", "why it is refused")
    .option("--on-evidence <what>", "carry (default) or refuse")
    .action((id: string, options) => finish((o) => review(id, o), options));
}

function review(proposalId: string, options: ReviewOptions): Promise<number> {
  if (options.commit && options.refuse) {
    throw new UsageError("--commit and --refuse exclude each other");
  }
  const { onEvidence } = options;
  if (onEvidence !== undefined && onEvidence !== "carry" && onEvidence !== "refuse") {
    throw new UsageError("--on-evidence takes carry or refuse");
  }
  const settle: CommandOf<"settlePruning"> = {
    command: "settlePruning",
    proposalId,
    ...(onEvidence !== undefined && { onEvidence }),
  };
  return withWindow(options, mayDecide(options) ? "change" : "look", async (window) => {
    const preview = await window.preview(settle);
    if (!options.json) await print(previewText(preview));
    const decision = await decide(options);
    if (decision === undefined) {
      if (options.json) await printJson(preview);
      return preview.refusals.length > 0 ? EXIT.refused : EXIT.done;
    }
    return send(window, { ...settle, decision, ...reasonOf(decision, options) }, options);
  });
}

function reasonOf(decision: "commit" | "refuse", { reason }: ReviewOptions) {
  return decision === "refuse" && reason !== undefined ? { reason } : {};
}

/** False when nothing was decided beforehand and nobody can be asked. */
function mayDecide({ commit, refuse, json }: ReviewOptions): boolean {
  return Boolean(commit || refuse || (!json && process.stdin.isTTY));
}

/** What the person wants done; undefined when nobody can be asked, or nothing was answered. */
async function decide(options: ReviewOptions): Promise<"commit" | "refuse" | undefined> {
  if (options.commit) return "commit";
  if (options.refuse) return "refuse";
  if (!mayDecide(options)) return undefined;
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await prompt.question("commit or refuse? [c/r, anything else: neither] ");
  prompt.close();
  return answer === "c" ? "commit" : answer === "r" ? "refuse" : undefined;
}

async function send(
  window: Window,
  command: CommandOf<"settlePruning">,
  options: ReviewOptions,
): Promise<number> {
  const answer = (await window.execute(command)) as Answer;
  if (options.json) await printJson(answer);
  else if (answer.outcome === "refused") sayRefused(answer.refusals);
  else if (answer.outcome === "accepted") say(`settled: ${String(answer.settlement)}`);
  return answer.outcome === "refused" ? EXIT.refused : EXIT.done;
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
