import type { Json, JsonObject, Origin } from "@palimpsest/core";
import type { Block, Source } from "./blocks.ts";
import {
  arrayAt,
  isObject,
  joinTexts,
  leftOver,
  objectAt,
  parseArguments,
  providerOf,
  stringAt,
} from "./blocks.ts";

const TEXT_PARTS = ["text", "input_text", "output_text"];

/** The fields in which providers of this form send the model's reasoning. */
const REASONING_FIELDS = ["reasoning_content", "reasoning"];

const KNOWN_FIELDS = [
  "role",
  "id",
  "content",
  "refusal",
  "tool_calls",
  "tool_call_id",
  "function_call",
  ...REASONING_FIELDS,
];

/** The blocks of one chat message, in the order in which the model wrote them. */
export function messageBlocks(message: JsonObject, from: Source): Block[] {
  const role = stringAt(message, "role") ?? "";
  if (role === "tool" || role === "function") return [resultBlock(message, role, from)];
  const origin = originOf(role);
  const blocks = [
    ...reasoningBlocks(message, from),
    ...contentBlocks(message.content ?? "", origin, from),
    ...refusalBlocks(message, from),
    ...callBlocks(message, from),
  ];
  const [first, ...others] = blocks;
  const extra = leftOver(message, KNOWN_FIELDS);
  if (!first || !extra) return blocks;
  return [{ ...first, ...providerOf(first.provider, extra) }, ...others];
}

/** A developer message is an instruction of the program; nobody knows who speaks in other roles. */
function originOf(role: string): Origin {
  return role === "system" || role === "user" || role === "assistant" ? role : "host";
}

function reasoningBlocks(message: JsonObject, from: Source): Block[] {
  return REASONING_FIELDS.flatMap((field): Block[] => {
    const content = message[field];
    if (content === undefined || content === null || content === "") return [];
    return [{ from, origin: "assistant", kind: "reasoning", content, ...providerOf({ field }) }];
  });
}

function contentBlocks(content: Json, origin: Origin, from: Source): Block[] {
  if (content === "") return [];
  const parts = Array.isArray(content) ? (content as readonly Json[]) : [content];
  return parts.map((part) => {
    if (typeof part === "string") return { from, origin, kind: "text", content: part };
    const text = stringAt(part, "text");
    if (
      !isObject(part) ||
      text === undefined ||
      !TEXT_PARTS.includes(stringAt(part, "type") ?? "")
    ) {
      return { from, origin, kind: "other", content: part };
    }
    const provider = providerOf(leftOver(part, ["type", "text"]));
    return { from, origin, kind: "text", content: text, ...provider };
  });
}

function refusalBlocks(message: JsonObject, from: Source): Block[] {
  const content = stringAt(message, "refusal") ?? "";
  if (content === "") return [];
  return [
    { from, origin: "assistant", kind: "text", content, ...providerOf({ field: "refusal" }) },
  ];
}

function callBlocks(message: JsonObject, from: Source): Block[] {
  const calls = arrayAt(message, "tool_calls") ?? [];
  const blocks = calls.map((call) => callBlock(call, from));
  const legacy = objectAt(message, "function_call");
  if (!legacy) return blocks;
  const id = `function:${stringAt(legacy, "name") ?? ""}`;
  return [...blocks, callBlock({ id, type: "function_call", function: legacy }, from)];
}

/** A custom tool takes a text of its own in place of JSON arguments. */
function callBlock(call: Json, from: Source): Block {
  const called = objectAt(call, "function") ?? objectAt(call, "custom") ?? {};
  const name = stringAt(called, "name") ?? "";
  const text = stringAt(called, "arguments");
  const parsed = text === undefined ? undefined : parseArguments(text);
  const given = parsed?.value ?? called.arguments ?? called.input ?? {};
  const type = stringAt(call, "type");
  return {
    from,
    origin: "assistant",
    kind: "tool-call",
    content: { name, arguments: given },
    callId: stringAt(call, "id") ?? "",
    tool: { name },
    ...providerOf(
      isObject(call) ? leftOver(call, ["id", "type", "function", "custom"]) : { call },
      leftOver(called, ["name", "arguments", "input"]),
      type === undefined || type === "function" ? undefined : { type },
      parsed?.text === undefined ? undefined : { arguments: parsed.text },
    ),
  };
}

/** The format says nothing of success or failure, so the status stays open. */
function resultBlock(message: JsonObject, role: string, from: Source): Block {
  const name = stringAt(message, "name") ?? "";
  const content = message.content ?? "";
  const id = role === "function" ? `function:${name}` : (stringAt(message, "tool_call_id") ?? "");
  return {
    from,
    origin: "tool",
    kind: "tool-result",
    content: Array.isArray(content) ? (joinTexts(content, TEXT_PARTS) ?? content) : content,
    callId: id,
    tool: { name },
    ...providerOf(
      leftOver(message, ["role", "id", "content", "tool_call_id", "name"]),
      role === "function" ? { role } : undefined,
    ),
  };
}
