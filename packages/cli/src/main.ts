import type { Refusal } from "@palimpsest/core";
import { CommanderError } from "commander";
import { createProgram } from "./program.ts";
import {
  EXIT,
  endsWhenUnread,
  hasPrinted,
  printJson,
  say,
  sayRefused,
  UsageError,
} from "./terminal/output.ts";
import { isSystemError, systemErrorText } from "./terminal/system-error.ts";

// A reader that has seen enough (`| head`) closes the pipe: most calls do not fail for that.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code === "EPIPE") return endsWhenUnread() ? process.exit(EXIT.done) : undefined;
  say(`stdout: ${isSystemError(error) ? systemErrorText(error) : error.message}`);
  process.exit(EXIT.wrongUse);
});
// Nobody is there to be told.
process.stderr.on("error", () => undefined);

const json = process.argv.includes("--json");

const program = createProgram((code) => {
  process.exitCode = code;
});

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = await report(error);
}

/** Says what went wrong and gives the exit code for it; loads what tells errors apart. */
async function report(error: unknown): Promise<number> {
  if (error instanceof CommanderError) {
    // Commander has said it already; help and version come this way too.
    if (error.exitCode === 0) return EXIT.done;
    return wrongUse("wrong-use", error.message.replace(/^error: /, ""));
  }
  const refusals = await refusalsIn(error);
  if (refusals !== undefined) {
    if (json) await printJson({ outcome: "refused", refusals });
    else sayRefused(refusals);
    return EXIT.refused;
  }
  const [code, message] = await codeAndMessage(error);
  say(message);
  return wrongUse(code, message);
}

/** With --json there is one document on stdout, unless the call has begun to print its own. */
async function wrongUse(code: string, message: string): Promise<number> {
  if (json && !hasPrinted()) {
    await printJson({ outcome: "refused", refusals: [{ code, message }] });
  }
  return EXIT.wrongUse;
}

async function refusalsIn(error: unknown): Promise<readonly Refusal[] | undefined> {
  if (error instanceof UsageError || isSystemError(error)) return undefined;
  const { isRefused } = await import("@palimpsest/core");
  return isRefused(error) ? error.refusals : undefined;
}

/** A code and a message for what a user can do something about; throws everything else. */
async function codeAndMessage(error: unknown): Promise<readonly [code: string, message: string]> {
  if (error instanceof UsageError) return ["wrong-use", error.message];
  if (isSystemError(error)) return [error.code, systemErrorText(error)];
  const { EventNotUnderstoodError, isLogError } = await import("@palimpsest/core");
  if (error instanceof EventNotUnderstoodError) return ["event-not-understood", error.message];
  if (isLogError(error)) return [error.code, error.message];
  const { isImportError } = await import("@palimpsest/import");
  if (isImportError(error)) return [error.code, error.message];
  const { UnknownSignerError } = await import("@palimpsest/verifier");
  if (error instanceof UnknownSignerError) return [error.code, error.message];
  throw error;
}
