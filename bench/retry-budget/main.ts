/*
 * `npm run bench:retry-budget`: how often a pruned window misleads whoever reads it.
 *
 *   npm run bench:retry-budget -- [--tasks N] [--seed N] [--harder] [--json] [--no-transcripts]
 *
 * --json prints one JSON document on stdout and everything else on stderr. --harder adds two
 * arms, e and f. What comes out is reported, whatever it is; docs/experiment.md.
 */
import { parseArgs } from "node:util";
import { runExperiment } from "./experiment.ts";
import { experimentText, transcriptText } from "./report.ts";
import { runTranscripts } from "./transcripts.ts";

async function main(argv: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      tasks: { type: "string", default: "200" },
      seed: { type: "string", default: "1" },
      harder: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      "no-transcripts": { type: "boolean", default: false },
    },
  });
  const tasks = wholeNumber(values.tasks);
  const seed = wholeNumber(values.seed);
  if (tasks === undefined || seed === undefined) {
    process.stderr.write("--tasks and --seed take a whole number\n");
    process.exitCode = 2;
    return;
  }
  const started = performance.now();
  const progress = (done: number) => {
    if (done % 10 > 0 && done < tasks) return;
    const seconds = Math.round((performance.now() - started) / 1_000);
    process.stderr.write(`${done} of ${tasks} tasks, ${seconds} s\n`);
  };
  const rows = await runExperiment({ tasks, seed, harder: values.harder, progress });
  const transcripts = values["no-transcripts"] ? [] : await runTranscripts();
  const report = { tasks, seed, rows, transcripts };
  const text = () => `${experimentText(rows)}\n${transcriptText(transcripts)}`;
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : text());
}

function wholeNumber(text: string): number | undefined {
  const number = Number(text);
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

await main(process.argv.slice(2));
