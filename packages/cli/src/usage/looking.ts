import { Option } from "commander";
import { wholeNumber } from "../arguments.ts";
import type { Calls } from "../calls/calls.ts";
import type { ShowOptions, StatusOptions } from "../calls/look.ts";
import type { AtOptions, GlobalOptions } from "../options.ts";

/** The calls that only look at a window. */
export function addLookingCalls(calls: Calls): void {
  addViews(calls);
  addAccounts(calls);
}

function addViews({ add, finish }: Calls): void {
  add("show", "print the window as the model sees it")
    .addOption(
      new Option("--at <revision>", "as it was after that event")
        .argParser(wholeNumber)
        .conflicts("follow"),
    )
    .option("--follow", "and again whenever it changes, until interrupted")
    .action((options: ShowOptions) =>
      finish(async (o) => {
        if (o.follow) return (await import("../calls/follow.ts")).followWindow(o);
        return (await import("../calls/look.ts")).show(o);
      }, options),
    );
  add("status", "list every edit and whether it can be undone")
    .argument("[edit]", "only this edit")
    .option("--edit <id>", "the same as the argument")
    .action((id: string | undefined, options: StatusOptions) =>
      finish(async (o) => (await import("../calls/look.ts")).status(id, o), options),
    );
  add("history", "list every event of the window").action((options: GlobalOptions) =>
    finish(async (o) => (await import("../calls/look.ts")).history(o), options),
  );
}

function addAccounts({ add, finish }: Calls): void {
  add("diff", "say what changed in the window between two revisions")
    .argument("<from>", "a revision", wholeNumber)
    .argument("<to>", "another revision, earlier or later", wholeNumber)
    .action((from: number, to: number, options: GlobalOptions) =>
      finish(async (o) => (await import("../calls/diff.ts")).diff(from, to, o), options),
    );
  add("claims", "list every claim, whether it stands, and on what")
    .option("--at <revision>", "as it was after that event", wholeNumber)
    .action((options: AtOptions) =>
      finish(async (o) => (await import("../calls/claims.ts")).claims(o), options),
    );
  add("policies", "list every policy, what changed in it, and the epochs that ran on it").action(
    (options: GlobalOptions) =>
      finish(async (o) => (await import("../calls/claims.ts")).policies(o), options),
  );
}
