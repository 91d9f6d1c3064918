import { readLines } from "./lines.ts";

/*
 * A call without a result must be closed, and closing it too early turns its late result into a
 * stray one. So the file is read once before the import, for the ids of its results only, without
 * parsing anything: a call whose id is not among them is closed directly after its message. The
 * search may find an id that is none; such a call is closed at the next compaction or at the end.
 */

const STRING = String.raw`"((?:[^"\\]|\\.)*)"`;
const CLAUDE_RESULT = new RegExp(String.raw`"tool_use_id"\s*:\s*${STRING}`, "g");
const CODEX_OUTPUT = /"type"\s*:\s*"[a-z_]+_output"/;
const CODEX_CALL = new RegExp(String.raw`"call_id"\s*:\s*${STRING}`, "g");

/** The recorded ids for which a JSONL recording holds a result, and perhaps a few more. */
export async function answeredCalls(
  file: string,
  format: "claude-code" | "codex",
): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  for await (const { text } of readLines(file)) {
    if (format === "codex" && !CODEX_OUTPUT.test(text)) continue;
    const pattern = format === "codex" ? CODEX_CALL : CLAUDE_RESULT;
    for (const match of text.matchAll(pattern)) answered.add(unescaped(match[1] ?? ""));
  }
  return answered;
}

function unescaped(id: string): string {
  if (!id.includes("\\")) return id;
  try {
    return JSON.parse(`"${id}"`) as string;
  } catch {
    return id;
  }
}
