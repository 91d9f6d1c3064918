import { isUtf8 } from "node:buffer";
import { createReadStream } from "node:fs";
import { ImportError, unreadable } from "./errors.ts";

/** One line of a recording. */
export interface Line {
  readonly text: string;
  /** From 1, blank lines counted. */
  readonly number: number;
  /** Bytes of the file up to the end of this line. */
  readonly bytesRead: number;
  /** False for a last line without a line feed, which may have been cut while it was written. */
  readonly ended: boolean;
  /** True when the bytes are not UTF-8; the text has U+FFFD in place of what could not be read. */
  readonly damaged: boolean;
}

/** The longest line read, in bytes: a longer one could not become a string with any certainty. */
export const MAX_LINE_BYTES = 128 * 1024 * 1024;

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 256 * 1024;
const BYTE_ORDER_MARK = "\uFEFF";

/** The lines of a file that are not blank, one at a time. */
export async function* readLines(file: string): AsyncGenerator<Line> {
  try {
    yield* linesIn(createReadStream(file, { highWaterMark: CHUNK_BYTES }));
  } catch (error) {
    throw error instanceof ImportError ? inFile(error, file) : unreadable(file, error);
  }
}

/** The same error, with the file that the stream is of. */
function inFile({ code, problem, advice, line = 1, cause }: ImportError, file: string) {
  return new ImportError(code, { problem: `${file}: ${problem}`, advice, file, line, cause });
}

/**
 * The lines of a byte stream that are not blank, as they come; no more than one line and one chunk
 * is in memory. A byte order mark and carriage returns before line feeds are left out. Only a line
 * feed ends a line: JSON text may hold every other character that Unicode calls a line break.
 */
export async function* linesIn(chunks: AsyncIterable<unknown>): AsyncGenerator<Line> {
  let number = 0;
  let bytesRead = 0;
  let pieces: Buffer[] = [];
  let pending = 0;
  for await (const chunk of chunks) {
    let rest = chunk as Buffer;
    for (let end = rest.indexOf(LINE_FEED); end >= 0; end = rest.indexOf(LINE_FEED)) {
      const bytes = joined(pieces, rest.subarray(0, end));
      pieces = [];
      pending = 0;
      number += 1;
      bytesRead += bytes.length + 1;
      rest = rest.subarray(end + 1);
      const line = toLine(bytes, number, bytesRead, true);
      if (line) yield line;
    }
    if (rest.length === 0) continue;
    pieces.push(rest);
    pending += rest.length;
    if (pending > MAX_LINE_BYTES) {
      throw tooLarge(number + 1);
    }
  }
  const bytes = joined(pieces, Buffer.alloc(0));
  const last = toLine(bytes, number + 1, bytesRead + bytes.length, false);
  if (last) yield last;
}

function tooLarge(line: number): ImportError {
  const limit = `${MAX_LINE_BYTES / 1024 / 1024} MiB`;
  return new ImportError("too-large", {
    problem: `line ${line} is longer than ${limit}, the most that is read at once`,
    advice: "Write a chat as JSONL, one message on each line",
    line,
  });
}

function joined(pieces: readonly Buffer[], last: Buffer): Buffer {
  return pieces.length === 0 ? last : Buffer.concat([...pieces, last]);
}

function toLine(bytes: Buffer, number: number, bytesRead: number, ended: boolean) {
  let text = bytes.toString("utf8");
  if (number === 1 && text.startsWith(BYTE_ORDER_MARK)) text = text.slice(1);
  if (text.endsWith("\r")) text = text.slice(0, -1);
  if (text.trim() === "") return undefined;
  return { text, number, bytesRead, ended, damaged: !isUtf8(bytes) };
}
