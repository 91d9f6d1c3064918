import { MAX_QUOTE } from "@palimpsest/core/state";
import type { ExtractSpan } from "./extraction.ts";
import { isPath } from "./paths.ts";
import { anyPart } from "./patterns.ts";

/* Words that somebody spoke: messages of people, tickets and comments that a tool fetched. */

export interface Sentence {
  readonly text: string;
  /** As it stands in the span, where that is not the same. */
  readonly quote: string;
  /** Somebody's message or comment, as opposed to a line of a program's output. */
  readonly spoken: boolean;
}

/** Most sentences of one span that are looked at, and most of its text. */
const MAX_SENTENCES = 600;
const MAX_TEXT = 60_000;

/** Names of tools, files and commands that fetch what people wrote. */
const FETCHES = anyPart(
  "ticket|issue|comment|message|mail|chat|slack|thread|incident|jira|inbox|pull[_-]?request",
  "discuss|notif|alert|channel|linear|zendesk|intercom|teams|forum|feedback|review|note|announce",
  "bulletin|memo|change[_-]?request",
);
/** A ticket by its looks. */
const TICKET = new RegExp(
  "^\\W{0,4}#?[A-Z][A-Z0-9]{1,9}-\\d+\\b|" +
    "^(?:#{1,3} )?(?:comment|reporter|assignee|author|from|subject|status|reply|note|decision|" +
    'resolution)\\b[^:\\n]{0,40}:|"(?:comments?|body|author|reporter|message)":',
  "im",
);

/** The sentences of a span that may say something about what was read before. */
export function sentencesOf(span: ExtractSpan): Sentence[] {
  const { origin, source } = span;
  if (origin === "system") return [];
  if (origin !== "tool") return plainSentences(span.text, true);
  const isFile = source !== undefined && isPath(source) && !FETCHES.test(source);
  if (isFile) return [];
  const head = span.text.slice(0, 4_000);
  const spoken = FETCHES.test(`${span.tool ?? ""} ${span.source ?? ""}`) || TICKET.test(head);
  const inner = spoken ? stringsOfJson(span.text) : undefined;
  if (inner !== undefined) return inner.slice(0, MAX_SENTENCES);
  return plainSentences(span.text, spoken).filter((one) => one.spoken || isProse(one.text));
}

function plainSentences(text: string, spoken: boolean): Sentence[] {
  return split(bounded(text)).map((one) => ({ text: one, quote: one, spoken }));
}

function bounded(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT / 2)}\n${text.slice(-MAX_TEXT / 2)}`;
}

function split(text: string): string[] {
  const found: string[] = [];
  let fenced = false;
  for (const line of text.split("\n")) {
    if (line.startsWith("```")) fenced = !fenced;
    if (fenced || line.length > 20 * MAX_QUOTE) continue;
    for (const part of line.split(/(?<=[.!?]["')]?)\s+(?=\S)/)) {
      const one = part.trim();
      if (one.length < 6 || one.length > MAX_QUOTE) continue;
      found.push(one);
      if (found.length >= MAX_SENTENCES) return found;
    }
  }
  return found;
}

/** Words rather than code, a path or a record. */
function isProse(line: string): boolean {
  if (/[{}<>;|\\]|\w\(|^[-+@$>#/*]|=>|::|\bimport\b|\breturn\b/.test(line)) return false;
  return (line.match(/(?<![\w/._-])[A-Za-z]{2,}(?![\w/_(-])/g) ?? []).length >= 3;
}

/** One whose end is missing matches too: each sign is then read once, whatever the text is. */
const STRING = /"((?:[^"\\]|\\.){0,20000})("?)/gs;

/** The texts in a JSON document, by sentences; undefined for anything else. */
function stringsOfJson(text: string): Sentence[] | undefined {
  if (!/^\s*[{[]/.test(text) || text.length > MAX_TEXT) return undefined;
  const found: Sentence[] = [];
  for (const [, literal = "", end] of text.matchAll(STRING)) {
    if (end === "") continue;
    for (const quote of literal.split(/\\n|(?<=[.!?])\s+/)) {
      const one = quote.trim();
      if (one.length < 6 || one.length > MAX_QUOTE || !one.includes(" ")) continue;
      found.push({ text: one.replace(/\\(["/\\])/g, "$1"), quote: one, spoken: true });
    }
    if (found.length >= MAX_SENTENCES) break;
  }
  return found;
}
