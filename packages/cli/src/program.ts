import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import type { Calls } from "./calls/calls.ts";
import { addEditingCalls } from "./usage/editing.ts";
import { addLookingCalls } from "./usage/looking.ts";
import { operatorCalls } from "./usage/operating.ts";
import { addVerifyingCalls } from "./usage/verifying.ts";
import { addWritingCalls } from "./usage/writing.ts";

/** Where the command line keeps its windows unless `--store` says otherwise. */
const DEFAULT_STORE = ".palimpsest/store.db";

/**
 * The command line of design §9a. `exit` is told the exit code of the call that ran. What a call
 * does is loaded when it runs: the list of calls, and the help on one, need none of it.
 */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command("palimpsest")
    .description("Windows of agents on an append-only log: every edit can be undone.")
    .version(version(), "-V, --version", "print the version")
    .exitOverride()
    .showHelpAfterError("(--help shows how)");
  const finish: Calls["finish"] = async (action, options) => exit(await action(options));
  const calls: Calls = {
    add: (name, description) => withGlobals(program.command(name).description(description)),
    finish,
  };
  addWritingCalls(calls);
  addLookingCalls(calls);
  addEditingCalls(calls);
  addVerifyingCalls(calls);
  for (const { name, description } of operatorCalls) calls.add(name, description);
  program.hook("preSubcommand", async (_, command) => {
    const call = operatorCalls.find(({ name }) => name === command.name());
    (await call?.load())?.({ add: () => command, finish });
  });
  addHelpCall(program);
  return program;
}

/** `help CALL` is `CALL --help`, for the calls too whose options are not loaded yet. */
function addHelpCall(program: Command): void {
  program
    .helpCommand(false)
    .command("help")
    .argument("[call]")
    .description("display help for a call")
    .action(async (call?: string) => {
      const named = call === undefined ? [] : [call];
      const isCall = (name: string) => program.commands.some((one) => one.name() === name);
      if (!named.every(isCall)) program.help({ error: true });
      await program.parseAsync([...named, "--help"], { from: "user" });
    });
}

function version(): string {
  const file = new URL("../package.json", import.meta.url);
  return (JSON.parse(readFileSync(file, "utf8")) as { version: string }).version;
}

function withGlobals(command: Command): Command {
  return command
    .option("--store <store>", "sqlite:FILE, a path, memory:, or esdb://…", DEFAULT_STORE)
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
