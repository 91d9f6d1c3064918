import type { SourceRef } from "@palimpsest/core/events";
import { keyedOf } from "./keyed.ts";
import { bodyOf, linesOf } from "./lines.ts";
import { usedLines } from "./used-lines.ts";

/** What was read of a file before, and a later fact by which it may no longer hold. */
export interface Overtaken {
  /** The file or address. */
  readonly scope: string;
  readonly note: string;
  /** The later side: words of a span, or a source as it was last observed. */
  readonly later: {
    readonly statement: string;
    readonly carrier?: string;
    readonly quote?: string;
    readonly because?: readonly SourceRef[];
  };
  /** Newest first. */
  readonly earlier: readonly EarlierRead[];
  /** What the model has said since, which tells the lines that matter (used-lines.ts). */
  readonly used?: ReadonlySet<string>;
}

/** A span that showed a file before. */
export interface EarlierRead {
  readonly spanId: string;
  /** What it says. */
  readonly text: string;
  /** The line in question, if it is known. */
  readonly line?: string;
}

/** What is said of a file that changed after it was read. */
export function editedStatement(path: string): string {
  return `${path} was edited`;
}

export function changedStatement(uri: string, spans: readonly string[], gone: boolean): string {
  return `${uri} ${gone ? "is gone" : "was changed"} since it was read in ${spans.join(", ")}`;
}

/** What is said of a file as a span shows it. */
export function readStatement(path: string, line: string): string {
  return `${path} as it was read: ${bodyOf(line).trim()}`;
}

/** The lines of a text that were used since, or else the one that says most by itself. */
export function tellingLines(
  text: string,
  used: ReadonlySet<string> | undefined,
  most: number,
): { readonly lines: readonly string[]; readonly used: boolean } {
  const lines = linesOf(text).filter(({ body }) => body.trim() !== "");
  const raw = lines.map((line) => line.raw);
  const found = used === undefined ? [] : usedLines(raw, used, most);
  if (found.length > 0) return { lines: found, used: true };
  const keyed = lines.find(({ body }) => /\d|true|false/.test(body) && keyedOf(body) !== undefined);
  const long = lines.find(({ body }) => /[A-Za-z]{2,}.*[A-Za-z]{2,}/.test(body));
  const line = (keyed ?? long ?? lines[0])?.raw;
  return { lines: line === undefined ? [] : [line], used: false };
}
