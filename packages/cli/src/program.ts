import { readFileSync } from "node:fs";
import { Command, Option } from "commander";
import { addAuditorCall } from "./calls/auditor.ts";
import type { Calls } from "./calls/calls.ts";
import { addClaimCalls } from "./calls/claims.ts";
import { addCopyCall } from "./calls/copy.ts";
import { addDiffCall } from "./calls/diff.ts";
import { addDoctorCall } from "./calls/doctor.ts";
import { addEditCalls } from "./calls/edit.ts";
import { addImportCall } from "./calls/import.ts";
import { addLookCalls } from "./calls/look.ts";
import { addProvisionCall } from "./calls/provision.ts";
import { addReviewCall } from "./calls/review.ts";
import { addRunCall } from "./calls/run.ts";
import { addVerifierCall } from "./calls/verifier.ts";
import { addVerifyCall } from "./calls/verify.ts";
import { DEFAULT_STORE } from "./store.ts";

/** One function a group of calls; each reads its own arguments. */
const groups = [
  addRunCall,
  addImportCall,
  addLookCalls,
  addDiffCall,
  addClaimCalls,
  addEditCalls,
  addReviewCall,
  addVerifyCall,
  addVerifierCall,
  addAuditorCall,
  addProvisionCall,
  addDoctorCall,
  addCopyCall,
];

/** The command line of design §9a. `exit` is told the exit code of the call that ran. */
export function createProgram(exit: (code: number) => void): Command {
  const program = new Command("palimpsest")
    .description("Windows of agents on an append-only log: every edit can be undone.")
    .version(version(), "-V, --version", "print the version")
    .exitOverride()
    .showHelpAfterError("(--help shows how)");
  const calls: Calls = {
    add: (name, description) => withGlobals(program.command(name).description(description)),
    finish: async (action, options) => exit(await action(options)),
  };
  for (const addTo of groups) addTo(calls);
  return program;
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
