import type { Json } from "@palimpsest/core";
import { isObject } from "./draft/blocks.ts";
import { tryParse } from "./exact-json.ts";
import { chatOf, isResult, itemsOf, resultIdOf } from "./openai-chat/blocks.ts";
import type { SessionFormat } from "./report.ts";

/*
 * A call without a result must be closed, and closing it too early turns its late result into a
 * stray one. So the file is read once before the import, for the ids of its results only: a call
 * whose id is not among them is closed directly after its message. In the JSONL formats the search
 * parses nothing and may find an id that is not one of a result; such a call is closed when its id
 * is used again, at the next compaction or at the end.
 */

const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const CLAUDE_RESULT = new RegExp(String.raw`"tool_use_id"\s*:\s*${STRING}`, "g");
const CLAUDE_MESSAGE = /"type"\s*:\s*"(?:user|assistant)"/;
const CLAUDE_SIDECHAIN = /"isSidechain"\s*:\s*true/;
const CODEX_OUTPUT = /"type"\s*:\s*"[a-z_]+_output"/;
const CODEX_CALL = new RegExp(String.raw`"call_id"\s*:\s*${STRING}`, "g");

/** What a reader must know of a whole recording before it places the first message. */
export interface Scan {
  /** The recorded ids for which there is a result, and perhaps a few more. */
  readonly answered: ReadonlySet<string>;
  /** Whether a message is of the main chain; a file of Claude Code may be the record of one. */
  readonly hasMainChain: boolean;
}

/** Looks through the lines of a recording, or its one document. */
export async function scanRecording(
  texts: AsyncIterable<string> | Iterable<string>,
  format: SessionFormat,
): Promise<Scan> {
  const answered = new Set<string>();
  let hasMainChain = false;
  for await (const text of texts) {
    for (const id of idsIn[format](text)) answered.add(id);
    hasMainChain ||= CLAUDE_MESSAGE.test(text) && !CLAUDE_SIDECHAIN.test(text);
  }
  return { answered, hasMainChain };
}

const idsIn: Readonly<Record<SessionFormat, (text: string) => Iterable<string>>> = {
  "claude-code": (text) => idsOf(text.matchAll(CLAUDE_RESULT)),
  codex: (text) => (CODEX_OUTPUT.test(text) ? idsOf(text.matchAll(CODEX_CALL)) : []),
  "openai-chat": (text) => chatIds(tryParse(text) ?? null),
};

function* idsOf(matches: Iterable<RegExpExecArray>): Iterable<string> {
  for (const match of matches) yield unescaped(match[1] ?? "");
}

function* chatIds(value: Json): Iterable<string> {
  for (const message of itemsOf(value).flatMap((item) => chatOf(item) ?? [item])) {
    if (isObject(message) && isResult(message)) yield resultIdOf(message);
  }
}

function unescaped(id: string): string {
  if (!id.includes("\\")) return id;
  try {
    return JSON.parse(`"${id}"`) as string;
  } catch {
    return id;
  }
}
