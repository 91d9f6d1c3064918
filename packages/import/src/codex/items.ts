import type { Json, JsonObject, Origin } from "@palimpsest/core";
import type { Block, Source, ToolStatus } from "../draft/blocks.ts";
import {
  arrayAt,
  firstField,
  isBlank,
  isObject,
  joinTexts,
  leftOver,
  parseArguments,
  providerOf,
  stringAt,
  textFields,
} from "../draft/blocks.ts";
import { valueDigest } from "../exact-json.ts";

const TEXT_PARTS = ["input_text", "output_text", "text"];

/** Starts of texts that the program sends in the user's name. */
const PROGRAM_TEXTS = [
  "# AGENTS.md instructions",
  "<INSTRUCTIONS>",
  "<environment_context>",
  "<permissions instructions>",
  "<skill>",
  "<subagent_notification>",
  "<turn_aborted>",
  "<user_instructions>",
  "<user_shell_command>",
];

/** Fields of an item that its spans say already, or that only the recorder needs. */
const RECORDERS_OWN = ["internal_chat_message_metadata_passthrough", "timestamp"];

/** Fields of a message that say nothing by themselves. */
const MESSAGE_DETAILS = ["end_turn", "id", "phase", "status"];

/** True for what the model writes: such items in a row are one message. */
export function isAnswerItem(item: JsonObject): boolean {
  const type = stringAt(item, "type") ?? "";
  if (type === "message") return item.role === "assistant";
  return type === "reasoning" || type.endsWith("_call");
}

/** The blocks of a response item; none where nothing is said. An unknown item is one as JSON. */
export function itemBlocks(item: JsonObject, from: Source): Block[] {
  const type = stringAt(item, "type") ?? "";
  const likeness = likenessOf(item, from);
  const blocks = (): Block[] => {
    if (type === "message") return messageBlocks(item, from);
    if (type === "reasoning") return [reasoningBlock(item, from)];
    if (stringAt(item, "call_id") !== undefined) {
      if (type.endsWith("_output")) return [outputBlock(item, type, from)];
      if (type.endsWith("_call")) return [callBlock(item, type, from)];
    }
    return [otherBlock(item, from)];
  };
  return blocks().map((block) => ({ ...block, likeness }));
}

function messageBlocks(item: JsonObject, from: Source): Block[] {
  const role = stringAt(item, "role") ?? "";
  const origin = originOf(role);
  const parts = arrayAt(item, "content") ?? [item.content ?? ""];
  const blocks = parts.flatMap((part) => partBlocks(part, origin, from));
  const known = [...textFields(item, ["role"]), "type", "content", ...RECORDERS_OWN];
  const extra = leftOver(item, known);
  const [first, ...others] = blocks;
  if (first) return [{ ...first, ...providerOf(first.provider, extra) }, ...others];
  const saysMore = Object.keys(extra ?? {}).some((key) => !MESSAGE_DETAILS.includes(key));
  return saysMore ? [{ from, origin, kind: "other", content: extra ?? {} }] : [];
}

function partBlocks(part: Json, origin: Origin, from: Source): Block[] {
  if (isBlank(part)) return [];
  const block = isObject(part) ? part : { type: "text", text: part };
  const isText = TEXT_PARTS.includes(stringAt(block, "type") ?? "");
  const text = stringAt(block, "text");
  if (!isText || text === undefined) return [{ from, origin, kind: "other", content: part }];
  const rest = leftOver(block, ["type", "text"]);
  if (text === "" && !rest) return [];
  const byProgram = PROGRAM_TEXTS.some((start) => text.startsWith(start));
  const author = byProgram && origin === "user" ? "host" : origin;
  const provider = rest ? providerOf({ part: rest }) : {};
  return [{ from, origin: author, kind: "text", content: text, ...provider }];
}

/** Developer messages are put in by the program. */
function originOf(role: string): Origin {
  if (role === "user" || role === "assistant" || role === "system") return role;
  return "host";
}

function reasoningBlock(item: JsonObject, from: Source): Block {
  const lists = ["summary", "content"].filter((field) => arrayAt(item, field));
  const parts = lists.flatMap((field) => arrayAt(item, field) ?? []);
  const text = joinTexts(parts, ["summary_text", "reasoning_text", "text"]);
  const sealed = (stringAt(item, "encrypted_content") ?? "") !== "";
  return {
    from,
    origin: "assistant",
    kind: "reasoning",
    content: text ?? parts,
    ...(sealed ? { sealed } : {}),
    ...providerOf(leftOver(item, ["type", ...lists, ...RECORDERS_OWN])),
  };
}

/** A function call sends its arguments as JSON text, a custom call any text, other calls JSON. */
function callBlock(item: JsonObject, type: string, from: Source): Block {
  const name = stringAt(item, "name") ?? type.replace(/_call$/, "");
  const field = firstField(item, ["arguments", "input", "action"]);
  const text = field === "arguments" ? stringAt(item, field) : undefined;
  const parsed = text === undefined ? undefined : parseArguments(text);
  const given = parsed?.value ?? item[field] ?? {};
  const known = ["call_id", field, ...textFields(item, ["name"]), ...RECORDERS_OWN];
  if (type === "function_call") known.push("type");
  return {
    from,
    origin: "assistant",
    kind: "tool-call",
    content: { name, arguments: given },
    callId: stringAt(item, "call_id") ?? "",
    tool: { name },
    ...providerOf(
      leftOver(item, known),
      parsed?.text === undefined ? undefined : { arguments: parsed.text },
    ),
  };
}

function outputBlock(item: JsonObject, type: string, from: Source): Block {
  const known = ["call_id", "output", ...RECORDERS_OWN];
  if (type === "function_call_output") known.push("type");
  const rest = leftOver(item, known);
  // What answers a search for tools is in fields of its own.
  const output = item.output ?? rest ?? "";
  const content = outputContent(output);
  const status = statusOf(output, content);
  return {
    from,
    origin: "tool",
    kind: "tool-result",
    content,
    callId: stringAt(item, "call_id") ?? "",
    tool: status === undefined ? { name: "" } : { name: "", status },
    ...providerOf(output === rest ? undefined : rest),
  };
}

function outputContent(output: Json): Json {
  if (Array.isArray(output)) return joinTexts(output, TEXT_PARTS) ?? output;
  if (!isObject(output) || leftOver(output, ["content", "success"])) return output;
  return stringAt(output, "content") ?? output;
}

/** What an output says of its success, in one of the ways that Codex had over time. */
function statusOf(output: Json, content: Json): ToolStatus | undefined {
  if (isObject(output) && typeof output.success === "boolean") {
    return output.success ? "ok" : "error";
  }
  if (typeof content !== "string") return undefined;
  if (/^aborted( by user|$)/.test(content)) return "interrupted";
  if (/rejected by user/.test(content.slice(0, 80))) return "denied";
  const head = content.slice(0, 400);
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)/m.exec(head)?.[1];
  const recorded = /"exit_code":\s*(-?\d+)/.exec(content.slice(-200))?.[1];
  const exit = code ?? (content.startsWith('{"output"') ? recorded : undefined);
  if (exit === undefined) return undefined;
  return exit === "0" ? "ok" : "error";
}

/** Calls of the provider's own tools, compaction items, and whatever comes later. */
function otherBlock(item: JsonObject, from: Source): Block {
  const type = stringAt(item, "type") ?? "";
  const sealed = (stringAt(item, "encrypted_content") ?? "") !== "";
  return {
    from,
    origin: type.endsWith("_call") ? "assistant" : "host",
    kind: "other",
    content: item,
    ...(sealed ? { sealed } : {}),
  };
}

/** Equal for items that say the same, whatever ids and times the recorder gave them. */
export function likenessOf(item: JsonObject, from: Source): string {
  const call = stringAt(item, "call_id");
  const told =
    item.type === "message"
      ? [item.role ?? null, item.content ?? null]
      : call === undefined
        ? (leftOver(item, RECORDERS_OWN) ?? null)
        : [item.type ?? null, call];
  return valueDigest(told, from.text);
}
