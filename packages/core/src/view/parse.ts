import type { ParsedClaims } from "./parse-claims.ts";
import { parseClaimLines } from "./parse-claims.ts";
import { unescapeContent } from "./text.ts";

/** A live span of a rendering. */
export interface ParsedSpan {
  /** Id of the span. */
  readonly spanId: string;
  /** Who the content is from. */
  readonly origin: string;
  /** What the content is. */
  readonly kind: string;
  /** Text of the content; of JSON content its RFC 8785 form. */
  readonly text: string;
  /** The content is JSON and not text. */
  readonly json: boolean;
}

/** A place where spans are out of view. */
export interface ParsedGap {
  /** Id of the live span before it; null: it is at the start. */
  readonly after: string | null;
  /** Number of spans out of view here. */
  readonly spans: number;
  /** Number of edits that took them. */
  readonly edits: number;
  /** The edits that the line names: all, or the first 16. */
  readonly named: readonly string[];
}

/** What a rendering says. */
export interface ParsedRendering extends ParsedClaims {
  /** The live spans, in order. */
  readonly spans: readonly ParsedSpan[];
  /** Where spans are out of view, in order. */
  readonly gaps: readonly ParsedGap[];
  /** The numbers of the ledger's first line. */
  readonly ledger: {
    readonly edits: number;
    readonly records: number;
    readonly outOfView: number;
    readonly alarm: boolean;
  };
}

const SPAN = /^::span (\S+) (\S+) (\S+)( json)?(?: .*)?$/;
const GAP = /^::gap spans (\d+) edits (\d+): ([^(]*) \(/;
const LEDGER = /^::ledger edits (\d+), records (\d+), (\d+) spans out of view(; ALARM.*)?$/;

/**
 * Reads a rendering back: exactly its real spans, gaps and ledger, whatever the spans contain.
 * Throws a SyntaxError that names the line for bytes that `renderWindow` never gives.
 */
export function parseRendering(rendered: string): ParsedRendering {
  const lines = rendered.split("\n");
  if (lines.pop() !== "") throw new SyntaxError("the rendering does not end with a line break");
  const spans: ParsedSpan[] = [];
  const gaps: ParsedGap[] = [];
  let ledger: ParsedRendering["ledger"] | undefined;
  let claims: ParsedClaims = { claims: [], retracted: [], history: [] };
  for (let i = 0; i < lines.length; ) {
    const line = lines[i] ?? "";
    let next = i + 1;
    if (line.startsWith("::span ")) {
      while (next < lines.length && !(lines[next] ?? "").startsWith("::")) next += 1;
      spans.push(parseSpan(line, lines.slice(i + 1, next), i));
    } else if (line.startsWith("::gap ")) {
      gaps.push(parseGap(line, spans.at(-1)?.spanId ?? null, i));
    } else {
      ledger = parseLedger(line, i);
      claims = parseClaimLines(lines.slice(next), next);
      next = lines.length;
    }
    i = next;
  }
  if (ledger === undefined) throw new SyntaxError("the rendering has no ledger");
  return { spans, gaps, ledger, ...claims };
}

function parseSpan(line: string, body: readonly string[], at: number): ParsedSpan {
  const [, spanId, origin, kind, json] = SPAN.exec(line) ?? [];
  if (spanId === undefined || origin === undefined || kind === undefined || body.length === 0) {
    throw unexpected(at, "not a span");
  }
  const text = unescapeContent(body.join("\n"));
  return { spanId, origin, kind, text, json: json !== undefined };
}

function parseGap(line: string, after: string | null, at: number): ParsedGap {
  const [, spans, edits, names] = GAP.exec(line) ?? [];
  if (names === undefined) throw unexpected(at, "not a gap");
  return { after, spans: Number(spans), edits: Number(edits), named: names.split(" ") };
}

function parseLedger(line: string, at: number): ParsedRendering["ledger"] {
  const [, edits, records, outOfView, alarm] = LEDGER.exec(line) ?? [];
  if (edits === undefined) throw unexpected(at, "not a span, a gap or the ledger");
  return {
    edits: Number(edits),
    records: Number(records),
    outOfView: Number(outOfView),
    alarm: alarm !== undefined,
  };
}

function unexpected(index: number, what: string): SyntaxError {
  return new SyntaxError(`line ${index + 1} of the rendering is ${what}`);
}
