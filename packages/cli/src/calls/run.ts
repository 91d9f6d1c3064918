import { open } from "node:fs/promises";
import type { Answer, ReadAnswer, Window } from "@palimpsest/core";
import type { Line } from "@palimpsest/import";
import { linesIn } from "@palimpsest/import";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, printJson, say, seeUnreadMyself, UsageError } from "../terminal/output.ts";
import { isSystemError } from "../terminal/system-error.ts";

export interface RunOptions extends GlobalOptions {
  /** Where the commands are; default: stdin. */
  readonly file?: string;
}

/**
 * Runs commands, one JSON object a line, and answers each with a line as soon as it is decided.
 * Once nobody reads the answers it runs no further command: what is left undone is not exit 0.
 */
export async function run(options: RunOptions): Promise<number> {
  // Before the store: commands that cannot be read leave no empty store behind.
  const input = options.file === undefined ? process.stdin : await openCommands(options.file);
  return withWindow(options, "make", async (window) => {
    let code: number = EXIT.done;
    let answered = 0;
    seeUnreadMyself();
    for await (const line of linesIn(input)) {
      const answer = await answerLine(window, line);
      if ("outcome" in answer && answer.outcome === "refused") code = EXIT.refused;
      if (!(await isTaken(answer))) {
        say(
          `stdout was closed. Commands answered: ${answered}; run without an answer: 1; ` +
            "the rest was not run",
        );
        return EXIT.wrongUse;
      }
      answered += 1;
    }
    return code;
  });
}

/** Writes an answer; false when the reader of stdout has gone. */
async function isTaken(answer: Answer | ReadAnswer): Promise<boolean> {
  try {
    await printJson(answer);
    return true;
  } catch (error) {
    if (isSystemError(error) && error.code === "EPIPE") return false;
    throw error;
  }
}

async function openCommands(path: string): Promise<AsyncIterable<unknown>> {
  const file = await open(path);
  if ((await file.stat()).isDirectory()) throw new UsageError(`--file ${path} is a folder`);
  return file.createReadStream();
}

function answerLine(window: Window, line: Line): Promise<Answer | ReadAnswer> {
  if (line.damaged) return Promise.resolve(invalid(`line ${line.number} is not UTF-8`));
  let command: unknown;
  try {
    command = JSON.parse(line.text);
  } catch (error) {
    const why = error instanceof Error ? error.message : "it does not parse";
    return Promise.resolve(invalid(`line ${line.number} is not JSON: ${why}`));
  }
  return window.executeJson(command);
}

function invalid(message: string): Answer {
  return { outcome: "refused", refusals: [{ code: "invalid-command", message }] };
}
