import { readFile } from "node:fs/promises";
import type { Json } from "@palimpsest/core";
import type { Sighting } from "./detect.ts";
import { recognise } from "./detect.ts";
import { ImportError } from "./errors.ts";
import { tryParse } from "./exact-json.ts";
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

/** Finds out how to read a file; `wanted` is believed where the lines do not say otherwise. */
export async function shapeOf(
  file: string,
  bytes: number,
  wanted: SessionFormat | undefined,
): Promise<Shape> {
  const document = await documentOf(file, bytes);
  const sighting = document ? recognise(document.value) : await judgeLines(file);
  if (wanted) return { format: wanted, document };
  if (sighting && "format" in sighting) return { format: sighting.format, document };
  const found = sighting ? sighting.unsupported : document ? "one JSON value" : "other text";
  throw new ImportError(
    "unknown-format",
    `${file} is no recorded session this program can read: it holds ${found}. ` +
      `Known formats: ${sessionFormats.join(", ")}.`,
  );
}

/**
 * The file as one document, or undefined when it is lines. The first line of a document is a piece
 * of it and does not parse; nor does a JSONL file whose first line is broken, as a whole.
 */
async function documentOf(file: string, bytes: number): Promise<Document | undefined> {
  const first = await firstLine(file);
  if (first === undefined) {
    throw new ImportError("empty", `${file} holds nothing but blank space`);
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

async function judgeLines(file: string): Promise<Sighting> {
  let judged = 0;
  let unsupported: Sighting;
  for await (const line of readLines(file)) {
    judged += 1;
    if (judged > LINES_TO_JUDGE) break;
    const value = tryParse(line.text);
    const sighting = value === undefined ? undefined : recognise(value);
    if (sighting && "format" in sighting) return sighting;
    unsupported ??= sighting ?? (value === undefined ? undefined : { unsupported: "other JSON" });
  }
  return unsupported;
}
