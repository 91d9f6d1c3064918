import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { ClaudeCodeReader } from "./claude-code/reader.ts";
import { CodexReader } from "./codex/reader.ts";
import { Draft } from "./draft/draft.ts";
import type { RecordingReader, Steps } from "./draft/reader.ts";
import { holdsNothing, ImportError, unreadable } from "./errors.ts";
import { tryParse } from "./exact-json.ts";
import type { Line } from "./lines.ts";
import { readLines } from "./lines.ts";
import { OpenAiChatReader } from "./openai-chat/reader.ts";
import type { ImportReport, SessionFormat } from "./report.ts";
import { count, emptyReport } from "./report.ts";
import { scanRecording } from "./scan.ts";
import type { Shape } from "./shape.ts";
import { shapeOf } from "./shape.ts";
import type { ImportStep } from "./step.ts";

/** A recorded session that is open for reading. */
export interface RecordedSession {
  readonly format: SessionFormat;
  /** Size of the file in bytes; a step says how much of it is read. */
  readonly bytes: number;
  /** 24 hex digits of the SHA-256 of the bytes: the same bytes, the same session. */
  readonly digest: string;
  /** Grows while the steps are read and is complete after the last one. */
  readonly report: Readonly<ImportReport>;
  /**
   * One for each message, in order; to be read once. `importInto` sends them to a window; a host
   * that wants more of them (another `by`, a filter, a log of its own) reads them itself.
   */
  readonly steps: AsyncGenerator<ImportStep, void, void>;
}

export interface OpenSessionOptions {
  /** The format to read the file in. Default: the one that its first 50 lines show. */
  readonly format?: SessionFormat | undefined;
}

/** Says in which format a file holds a session. Throws what `openSession` throws. */
export async function detectFormat(file: string): Promise<SessionFormat> {
  return (await shapeOf(file, await sizeOf(file), undefined)).format;
}

/**
 * Opens the recording at a path, which is read line by line, whatever its size; a chat that is one
 * JSON document is read as a whole, up to 128 MiB. The file is held open while the steps are read:
 * whoever stops early leaves the loop over them, which closes it.
 *
 * Throws an `ImportError`: `empty`, `unreadable`, or `unknown-format` for a file that is not a
 * session in a known format, or not in the one that was asked for. Here and while the steps are
 * read: `too-large` for a line of more than 128 MiB, and `unreadable`.
 */
export async function openSession(
  file: string,
  options: OpenSessionOptions = {},
): Promise<RecordedSession> {
  const bytes = await sizeOf(file);
  const shape = await shapeOf(file, bytes, options.format);
  const digest = await digestOf(file);
  const report = emptyReport(shape.format);
  const steps = stepsOf(file, bytes, shape, report);
  return { format: shape.format, bytes, digest, report, steps };
}

const readers = {
  "claude-code": ClaudeCodeReader,
  codex: CodexReader,
  "openai-chat": OpenAiChatReader,
} as const;

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch((cause: unknown) => {
    throw unreadable(file, cause);
  });
  if (!found.isFile()) {
    const problem = `${file} is not a file`;
    throw new ImportError("unreadable", { problem, advice: "Name the file of one session", file });
  }
  if (found.size === 0) throw holdsNothing(file, "is empty");
  return found.size;
}

async function digestOf(file: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest("hex").slice(0, 24);
}

async function* stepsOf(
  file: string,
  bytes: number,
  { format, document }: Shape,
  report: ImportReport,
): AsyncGenerator<ImportStep, void, void> {
  const draft = new Draft(report);
  const scan = await scanRecording(document ? [document.text] : textsOf(file), format);
  const reader = new readers[format](draft, scan);
  if (document) {
    report.lines = 1;
    const source = { at: 1, text: document.text };
    yield* drafted(draft, reader.accept(document.value, source), bytes);
  } else {
    for await (const line of readLines(file)) {
      report.lines += 1;
      yield* drafted(draft, acceptLine(reader, line, report), line.bytesRead);
    }
  }
  yield* drafted(draft, reader.end(), bytes);
}

async function* textsOf(file: string): AsyncGenerator<string> {
  for await (const { text } of readLines(file)) yield text;
}

function* acceptLine(reader: RecordingReader, line: Line, report: ImportReport): Steps {
  if (line.damaged) count(report.unplaced, "bytes that are not UTF-8", line.number);
  const value = tryParse(line.text);
  if (value === undefined) {
    const what = line.ended ? "malformed line" : "truncated last line";
    return count(report.unplaced, what, line.number);
  }
  yield* reader.accept(value, { at: line.number, text: line.text });
}

function* drafted(draft: Draft, steps: Steps, bytesRead: number) {
  for (const _ of steps) {
    const step = draft.take(bytesRead);
    if (step) yield step;
  }
}
