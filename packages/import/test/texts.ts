import type { Json } from "@palimpsest/core";

/*
 * Every text of a recording that the model saw or wrote, found by the field names of the format
 * alone and without the reader.
 */

type Fields = { readonly [key: string]: Json };

/** `format` is the manifest's name for it. */
export function recordedTexts(format: string, text: string): string[] {
  if (format === "tau-bench-json") {
    const runs = JSON.parse(text) as { traj: Json[] }[];
    return runs.flatMap(({ traj }) => traj.flatMap(chatTexts)).filter(isText);
  }
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const read = format === "codex-rollout-jsonl" ? codexTexts : claudeTexts;
  return lines.flatMap((line) => read(JSON.parse(line) as Fields)).filter(isText);
}

function isText(text: string): boolean {
  return text !== "";
}

function claudeTexts(line: Fields): string[] {
  if (line.type === "queue-operation") return textsAt(line, ["content"]);
  if (line.type !== "user" && line.type !== "assistant") return [];
  const content = fieldsOf(line.message).content ?? null;
  if (typeof content === "string") return [content];
  return listOf(content).flatMap((block) => [
    ...textsAt(block, ["text", "thinking"]),
    ...deepTexts(fieldsOf(block).input ?? null),
    ...resultTexts(fieldsOf(block).content ?? null),
  ]);
}

function codexTexts({ type, payload }: Fields): string[] {
  const fields = fieldsOf(payload);
  if (type === "session_meta") return textsAt(fields.base_instructions ?? null, ["text"]);
  if (type === "response_item") return itemTexts(fields);
  if (type !== "compacted") return [];
  return listOf(fields.replacement_history ?? null).flatMap((item) => itemTexts(fieldsOf(item)));
}

function itemTexts(item: Fields): string[] {
  return [
    ...listOf(item.content ?? null).flatMap((part) => textsAt(part, ["text"])),
    ...listOf(item.summary ?? null).flatMap((part) => textsAt(part, ["text"])),
    ...textsAt(item, ["input"]),
    ...resultTexts(item.output ?? null),
    ...argumentTexts(item.arguments ?? null),
  ];
}

function chatTexts(message: Json): string[] {
  const calls = listOf(fieldsOf(message).tool_calls ?? null);
  return [
    ...textsAt(message, ["content"]),
    ...calls.flatMap((call) => argumentTexts(fieldsOf(fieldsOf(call).function).arguments ?? null)),
  ];
}

function argumentTexts(text: Json): string[] {
  return typeof text === "string" ? deepTexts(JSON.parse(text) as Json) : [];
}

function resultTexts(content: Json): string[] {
  if (typeof content === "string") return [content];
  return listOf(content).flatMap((part) => textsAt(part, ["text"]));
}

function deepTexts(value: Json): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(deepTexts);
}

function textsAt(value: Json, keys: readonly string[]): string[] {
  return keys.flatMap((key) => {
    const text = fieldsOf(value)[key];
    return typeof text === "string" ? [text] : [];
  });
}

function fieldsOf(value: Json | undefined): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Fields)
    : {};
}

function listOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value : [];
}
