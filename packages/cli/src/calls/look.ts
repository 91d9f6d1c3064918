import type { EditStatus, RecordedWindowEvent, WindowView } from "@palimpsest/core";
import type { AtOptions, GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, print, printJson, UsageError } from "../terminal/output.ts";
import { safeText } from "../terminal/safe-text.ts";
import { table } from "../terminal/table.ts";

export interface ShowOptions extends AtOptions {
  /** Again whenever the window changes. */
  readonly follow?: boolean;
}

export interface StatusOptions extends GlobalOptions {
  /** Id of the one edit to tell of. */
  readonly edit?: string;
}

/** The window as the model sees it. */
export function show(options: ShowOptions): Promise<number> {
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
export function status(id: string | undefined, options: StatusOptions): Promise<number> {
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
export function history(options: GlobalOptions): Promise<number> {
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
