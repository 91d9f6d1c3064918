import { readFile } from "node:fs/promises";
import type { Json } from "@palimpsest/core";
import type { Sighting } from "./detect.ts";
import { recognise } from "./detect.ts";
import { holdsNothing, ImportError } from "./errors.ts";
import { tryParse } from "./exact-json.ts";
import { foreignContent } from "./foreign.ts";
import { MAX_LINE_BYTES, readLines } from "./lines.ts";
import type { SessionFormat } from "./report.ts";
import { sessionFormats } from "./report.ts";

/** A file is one value a line, or one JSON document over many lines. */
export interface Shape {
  readonly format: SessionFormat;
  readonly document?: Document | undefined;
}

interface Document {
  readonly value: Json;
  readonly text: string;
}

/** Lines that may pass before one must say which format it is. */
const LINES_TO_JUDGE = 50;

/**
 * Finds out how to read a file. A format that was asked for must show somewhere in it; else what
 * the first lines show is taken.
 */
export async function shapeOf(
  file: string,
  bytes: number,
  wanted: SessionFormat | undefined,
): Promise<Shape> {
  const document = await documentOf(file, bytes);
  const sighting = document ? recognise(document.value) : await judgeLines(file, wanted);
  if (sighting && "format" in sighting && sighting.format === (wanted ?? sighting.format)) {
    return { format: sighting.format, document };
  }
  const sought = wanted === undefined ? "session that can be imported" : `${wanted} session`;
  const found = sighting ? nameOf(sighting) : await foreignContent(file, bytes);
  throw new ImportError("unknown-format", {
    problem: `${file} is not a ${sought}: it holds ${found}`,
    advice: `Formats that can be imported: ${sessionFormats.join(", ")}`,
    file,
  });
}

function nameOf(sighting: NonNullable<Sighting>): string {
  return "format" in sighting ? `a session of format ${sighting.format}` : sighting.unsupported;
}

/**
 * The file as one document, or undefined when it is lines. The first line of a document is a piece
 * of it and does not parse; nor does a JSONL file whose first line is broken, as a whole.
 */
async function documentOf(file: string, bytes: number): Promise<Document | undefined> {
  const first = await firstLine(file);
  if (first === undefined) {
    throw holdsNothing(file, "holds nothing but blank space");
  }
  if (!/^\s*[[{]/.test(first) || tryParse(first) !== undefined) return undefined;
  if (bytes > MAX_LINE_BYTES) return undefined;
  const text = (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  const value = tryParse(text);
  return value === undefined ? undefined : { value, text };
}

async function firstLine(file: string): Promise<string | undefined> {
  for await (const line of readLines(file)) return line.text;
  return undefined;
}

/** What the lines are: the first one that says it or, with a format asked for, any line of it. */
async function judgeLines(file: string, wanted: SessionFormat | undefined): Promise<Sighting> {
  let first: Sighting;
  let judged = 0;
  for await (const line of readLines(file)) {
    judged += 1;
    if (judged > LINES_TO_JUDGE && wanted === undefined) break;
    const value = tryParse(line.text);
    const sighting = value === undefined ? undefined : recognise(value);
    if (sighting && "format" in sighting && sighting.format === (wanted ?? sighting.format)) {
      return sighting;
    }
    first ??= sighting;
  }
  return first;
}
