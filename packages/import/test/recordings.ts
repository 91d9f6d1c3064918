import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BatchItem } from "@palimpsest/core";
import { createMemoryLog, openWindow, writeCommandSchemas } from "@palimpsest/core";
import type { AdmitSpan } from "../src/draft/draft.ts";
import { openSession } from "../src/session.ts";
import type { ImportStep } from "../src/step.ts";

/** A small recording of test/import/fixtures. */
export function fixture(name: string): string {
  return fileURLToPath(new URL(`../../../test/import/fixtures/${name}`, import.meta.url));
}

/** Everything that comes of a recording: the steps, the spans they admit by id, the report. */
export async function readAll(file: string) {
  const session = await openSession(file);
  const steps: ImportStep[] = [];
  for await (const step of session.steps) steps.push(step);
  const commands = steps.flatMap((step) => step.commands);
  const spans = commands.filter(isAdmission);
  const bySpanId = new Map(spans.map((span) => [span.spanId ?? "", span]));
  return { ...session, steps, commands, spans, span: (id: string) => bySpanId.get(id) };
}

/** The same of a recording that exists for one test: values, a line each. */
export function readLinesOf(...values: readonly unknown[]) {
  return readText(values.map((value) => `${JSON.stringify(value)}\n`).join(""));
}

/** The same of the text of a recording. */
export async function readText(text: string) {
  const folder = mkdtempSync(join(tmpdir(), "palimpsest-recording-"));
  const file = join(folder, "recording.jsonl");
  try {
    writeFileSync(file, text);
    return await readAll(file);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export type Recording = Awaited<ReturnType<typeof readAll>>;

export function isAdmission(command: BatchItem): command is AdmitSpan {
  return command.command === "admitSpan";
}

/** The edits of a recording, without the admissions beside them. */
export function editsOf({ commands }: Recording) {
  return commands.filter((command) => !isAdmission(command));
}

/** What the schemas say against the commands: one line for each command they refuse. */
export function schemaProblems({ commands }: Recording): string[] {
  return commands.flatMap((command) => {
    const result = writeCommandSchemas[command.command].safeParse(command);
    return result.success
      ? []
      : [`${JSON.stringify(command).slice(0, 200)}: ${result.error.message}`];
  });
}

/** Runs a recording in a window of its own, a step an append, and gives what was refused. */
export async function refusalsOf({ steps }: Recording): Promise<unknown[]> {
  const window = await openWindow(createMemoryLog(), "imported");
  const refused: unknown[] = [];
  for (const { commands } of steps) {
    const answer = await window.execute({ command: "batch", commands });
    if (!("outcome" in answer) || answer.outcome !== "accepted") refused.push(answer);
  }
  return refused;
}
