import { Option } from "commander";
import { tokenBudget } from "../arguments.ts";
import type { Calls } from "../calls/calls.ts";
import type { ImportOptions } from "../calls/import.ts";
import type { RunOptions } from "../calls/run.ts";

/** The formats that `import` takes; the compiler sees that none is missing. */
const FORMATS: Readonly<Record<NonNullable<ImportOptions["format"]>, true>> = {
  "claude-code": true,
  codex: true,
  "openai-chat": true,
};

/** The calls that bring something into a window. */
export function addWritingCalls({ add, finish }: Calls): void {
  add("run", "run commands from stdin, one JSON object on each line; answer each with a line")
    .option("--file <path>", "read the commands from a file")
    .action((options: RunOptions) =>
      finish(async (o) => (await import("../calls/run.ts")).run(o), options),
    );
  add("import", "read a recorded session into a window")
    .argument("<file>", "Claude Code JSONL, a Codex rollout, or an OpenAI-style chat")
    .addOption(
      new Option("--format <name>", "default: the format that the file shows").choices(
        Object.keys(FORMATS),
      ),
    )
    .option("--budget <tokens>", "budget of the window", tokenBudget)
    .option("--no-claims", "do not look for claims in what users and tools said")
    .action((file: string, options: ImportOptions) =>
      finish(async (o) => (await import("../calls/import.ts")).importFile(file, o), options),
    );
}
