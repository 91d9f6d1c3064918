import { EventNotUnderstoodError, isLogError, isRefused } from "@palimpsest/core";
import { CommanderError } from "commander";
import { ImportError } from "./import/errors.ts";
import { createProgram } from "./program.ts";
import { EXIT, printJson, say, sayRefused, UsageError } from "./terminal/output.ts";

// A reader that has seen enough (`| head`) closes the pipe: that is no failure of ours.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") process.exit(EXIT.done);
  throw error;
});

const program = createProgram((code) => {
  process.exitCode = code;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}

/** Says what went wrong and gives the exit code for it. */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    // Commander has said it already; help and version come this way too.
    return error.exitCode === 0 ? EXIT.done : EXIT.wrongUse;
  }
  if (isRefused(error)) {
    const json = process.argv.includes("--json");
    if (json) await printJson({ outcome: "refused", refusals: error.refusals });
    else sayRefused(error.refusals);
    return EXIT.refused;
  }
  const known =
    error instanceof UsageError ||
    error instanceof ImportError ||
    error instanceof EventNotUnderstoodError ||
    isLogError(error);
  if (!known) throw error;
  say(error.message);
  return EXIT.wrongUse;
}
