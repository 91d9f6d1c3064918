import type { EditStatus, RecordedWindowEvent, WindowView } from "@palimpsest/core";
import { Option } from "commander";
import { wholeNumber } from "../arguments.ts";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, UsageError } from "../terminal/output.ts";
import { safeText } from "../terminal/safe.ts";
import { table } from "../terminal/table.ts";
import type { Calls } from "./calls.ts";
import { followWindow } from "./follow.ts";

export function addLookCalls({ add, finish }: Calls): void {
  add("show", "the window as the model sees it")
    .addOption(
      new Option("--at <revision>", "as it was after that event")
        .argParser(wholeNumber)
        .conflicts("follow"),
    )
    .option("--follow", "and again whenever it changes, until interrupted")
    .action((options) => finish(options.follow ? followWindow : show, options));
  add("status", "every edit and whether it can be undone")
    .argument("[edit]", "one edit only")
    .option("--edit <id>", "the same")
    .action((id: string | undefined, options) => finish((o) => status(id, o), options));
  add("history", "every event of the window").action((options) => finish(history, options));
}

/** The window as the model sees it. */
function show(options: GlobalOptions & { readonly at?: number }): Promise<number> {
  return withWindow(options, "look", async (window) => {
    const view = await window.show(options.at);
    if (options.json) await printJson(view);
    else {
      const none = (await window.claims(options.at)).length === 0;
      const protection = none ? "── 0 claims: nothing is protected\n" : "";
      await print(safeText(view.rendered) + summary(view) + protection);
    }
    return EXIT.done;
  });
}

function summary({ window, revision, tokens, budget, overBudget, spans }: WindowView): string {
  const limit = budget === null ? "" : ` of ${budget}${overBudget ? ", over budget" : ""}`;
  return (
    `── window ${window} at revision ${revision}: ${spans.length} live spans, ` +
    `${tokens} tokens${limit}\n`
  );
}

/** Every edit with its status word, its content probed just now. */
function status(
  id: string | undefined,
  options: GlobalOptions & { readonly edit?: string },
): Promise<number> {
  if (id !== undefined && options.edit !== undefined) {
    throw new UsageError("name the edit as an argument or with --edit, not both");
  }
  return withWindow(options, "look", async (window) => {
    const edits = await window.status(id ?? options.edit);
    await (options.json ? printJson(edits) : print(statusTable(edits)));
    return EXIT.done;
  });
}

function statusTable(edits: readonly EditStatus[]): string {
  if (edits.length === 0) return "no edits yet\n";
  return table(
    ["#", "edit", "verb", "status", "effect", "recovery", "blocked by"],
    edits.map(({ editId, ordinal, verb, effect, recovery, word, blockers }) => [
      String(ordinal),
      editId,
      verb,
      word,
      effect,
      recovery,
      blockers.join(" "),
    ]),
  );
}

/** Every event of the window: who did what, when, and where it lies. */
function history(options: GlobalOptions): Promise<number> {
  return withWindow(options, "look", async (window) => {
    const events = await window.history();
    if (options.json) await printJson(events);
    else await print(table(["revision", "at", "by", "event", ""], events.map(historyRow)));
    return EXIT.done;
  });
}

function historyRow(event: RecordedWindowEvent): string[] {
  const { revision, metadata, type } = event;
  return [String(revision), metadata.at, metadata.by, type, detail(event)];
}

function detail(event: RecordedWindowEvent): string {
  switch (event.type) {
    case "WindowOpened":
      return `tokenizer ${event.data.tokenizer}`;
    case "SpanAdmitted": {
      const { spanId, origin, kind, tokens } = event.data;
      return `${spanId}: ${origin} ${kind}, ${tokens} tokens`;
    }
    case "SpansRead":
      return event.data.spanIds.join(" ");
    case "RecoveryRecorded":
      return `for ${event.data.editId}: ${event.data.consumed.length} spans out of view`;
    case "WindowEdited": {
      const { editId, verb, target, to, creates } = event.data;
      const about = target ?? (to === undefined ? "" : `to ${to}`);
      return `${editId}: ${verb} ${about}${creates === undefined ? "" : `→ ${creates.spanId}`}`;
    }
    case "WindowRendered":
      return `revision ${event.data.at}, ${event.data.tokens} tokens`;
    case "ClaimAsserted":
      return `${event.data.claimId}: ${event.data.kind} ${event.data.statement}`;
    case "ClaimRetracted":
      return `${event.data.claimId}: ${event.data.reason}`;
    case "ConflictNoted":
      return `${event.data.a} against ${event.data.b}`;
    case "SourceObserved":
      return `${event.data.uri} ${event.data.digest === null ? "gone" : "observed"}`;
    case "PolicyAuthored":
      return `${event.data.policyId} in epoch ${event.data.epoch}`;
    case "EpochOpened":
      return `${event.data.epoch}, policy ${event.data.policyId ?? "as before"}`;
    case "PruningProposed":
      return `${event.data.proposalId}: ${event.data.candidates.length} candidates`;
    case "PruningSettled":
      return `${event.data.proposalId}: ${event.data.outcome}`;
  }
}
