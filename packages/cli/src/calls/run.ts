import { open } from "node:fs/promises";
import type { Answer, ReadAnswer, Window } from "@palimpsest/core";
import type { Line } from "../import/lines.ts";
import { linesIn } from "../import/lines.ts";
import type { GlobalOptions } from "../options.ts";
import { withWindow } from "../options.ts";
import { EXIT, printJson, UsageError } from "../terminal/output.ts";
import type { Calls } from "./calls.ts";

export function addRunCall({ add, finish }: Calls): void {
  add("run", "run commands, one JSON object a line, from stdin; one answer line each")
    .option("--file <path>", "read the commands from a file")
    .action((options) => finish(run, options));
}

/** Runs commands, one JSON object a line, and answers each with a line as soon as it is decided. */
async function run(options: GlobalOptions & { readonly file?: string }): Promise<number> {
  // Before the store: commands that cannot be read leave no empty store behind.
  const input = options.file === undefined ? process.stdin : await openCommands(options.file);
  return withWindow(options, "make", async (window) => {
    let code: number = EXIT.done;
    for await (const line of linesIn(input)) {
      const answer = await answerLine(window, line);
      if ("outcome" in answer && answer.outcome === "refused") code = EXIT.refused;
      await printJson(answer);
    }
    return code;
  });
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
    return Promise.resolve(invalid(`line ${line.number} is no JSON: ${why}`));
  }
  return window.execute(command);
}

function invalid(message: string): Answer {
  return { outcome: "refused", refusals: [{ code: "invalid-command", message }] };
}
