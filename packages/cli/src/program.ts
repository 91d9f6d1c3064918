import { Command, InvalidArgumentError, Option } from "commander";
import { redo, rewind, undo } from "./calls/edit.ts";
import { importFile } from "./calls/import.ts";
import { history, show, status } from "./calls/look.ts";
import { run } from "./calls/run.ts";
import { sessionFormats } from "./import/report.ts";
import type { GlobalOptions } from "./options.ts";
import { DEFAULT_STORE } from "./store.ts";

/** The command line of DESIGN §9a. `exit` is told the exit code of the call that ran. */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command("palimpsest")
    .description("Windows of agents on an append-only log: every edit can be undone.")
    .exitOverride()
    .showHelpAfterError("(--help shows how)");
  const call = (name: string, description: string): Command =>
    withGlobals(program.command(name).description(description));

  call("run", "run commands, one JSON object a line, from stdin; one answer line each")
    .option("--file <path>", "read the commands from a file")
    .action((options) => finish(run, options));
  call("import", "read a recorded session into a window")
    .argument("<file>", "Claude Code JSONL, a Codex rollout, or an OpenAI-style chat")
    .addOption(
      new Option("--format <name>", "default: found by itself").choices([...sessionFormats]),
    )
    .option("--budget <tokens>", "budget of the window", wholeNumber)
    .action((file: string, options) => finish((o) => importFile(file, o), options));
  call("show", "the window as the model sees it")
    .option("--at <revision>", "as it was after that event", wholeNumber)
    .action((options) => finish(show, options));
  call("status", "every edit and whether it can be undone")
    .option("--edit <id>", "one edit only")
    .action((options) => finish(status, options));
  call("history", "every event of the window").action((options) => finish(history, options));
  call("undo", "take an edit back")
    .argument("<edit>", "id of the edit")
    .option("--cascade", "undo what was built on it first")
    .option("--merge", "keep what was made of it since, by a three-way merge")
    .option("--plan", "say what would happen, do nothing")
    .action((id: string, options) => finish((o) => undo(id, o), options));
  call("redo", "put an undone edit in force again")
    .argument("<edit>", "id of the edit")
    .option("--plan", "say what would happen, do nothing")
    .action((id: string, options) => finish((o) => redo(id, o), options));
  call("rewind", "make the window what it was after the event at a revision")
    .argument("<revision>", "an append boundary; 0 is the empty window", wholeNumber)
    .option("--abandon-open-calls", "also over calls without a result")
    .option("--plan", "say what would happen, do nothing")
    .action((to: number, options) => finish((o) => rewind(to, o), options));
  return program;

  async function finish<O extends GlobalOptions>(
    action: (options: O) => Promise<number>,
    options: O,
  ): Promise<void> {
    exit(await action(options));
  }
}

function withGlobals(command: Command): Command {
  return command
    .option("--store <store>", "sqlite:FILE, a path, or memory:", DEFAULT_STORE)
    .option("--window <id>", "id of the window", "main")
    .addOption(
      new Option("--as <principal>", "party/name this process vouches for; repeatable")
        .default(["host/cli"])
        .argParser(collect()),
    )
    .option("--json", "one JSON document on stdout, everything else on stderr");
}

/** The first `--as` replaces the default, the next ones add to it. */
function collect(): (value: string) => string[] {
  const named: string[] = [];
  return (value) => {
    named.push(value);
    return named;
  };
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value) || text.trim() === "") {
    throw new InvalidArgumentError("it is no whole number");
  }
  return value;
}
