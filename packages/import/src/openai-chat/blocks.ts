import type { Json, JsonObject, Origin } from "@palimpsest/core";
import type { Block, Source } from "../draft/blocks.ts";
import {
  arrayAt,
  firstField,
  idAt,
  isBlank,
  isObject,
  joinTexts,
  leftOver,
  objectAt,
  parseArguments,
  providerOf,
  stringAt,
  textFields,
} from "../draft/blocks.ts";

const TEXT_PARTS = ["text", "input_text", "output_text"];

/** Makes blocks of one field of a message; undefined when the field has a form of its own. */
type FieldReader = (value: Json, origin: Origin, from: Source) => Block[] | undefined;

/** The fields that say something, in the order in which the model wrote them. */
const FIELDS: readonly (readonly [field: string, read: FieldReader])[] = [
  // Providers of this form send the model's reasoning in the one or the other.
  ["reasoning_content", (value, _, from) => reasoningBlocks(value, "reasoning_content", from)],
  ["reasoning", (value, _, from) => reasoningBlocks(value, "reasoning", from)],
  ["content", contentBlocks],
  ["refusal", (value, _, from) => refusalBlocks(value, from)],
  ["tool_calls", (value, _, from) => callBlocks(value, from)],
  ["function_call", (value, _, from) => legacyCallBlocks(value, from)],
];

/** The items of a line or a document, which has one or a list of them: messages or chats. */
export function itemsOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? (value.flat() as Json[]) : [value];
}

/** The messages of a chat; undefined when the item is not a chat. */
export function chatOf(item: Json): readonly Json[] | undefined {
  return arrayAt(item, "messages") ?? arrayAt(item, "traj");
}

export function isResult(message: JsonObject): boolean {
  return message.role === "tool" || message.role === "function";
}

/** The recorded id of the call that a result answers; before there were ids it was a name. */
export function resultIdOf(message: JsonObject): string {
  return message.role === "function"
    ? legacyId(stringAt(message, "name"))
    : (idAt(message, "tool_call_id") ?? "");
}

function legacyId(name: string | undefined): string {
  return `function:${name ?? ""}`;
}

/** The blocks of one chat message. Fields that none of them holds go to the first. */
export function messageBlocks(message: JsonObject, from: Source): Block[] {
  if (isResult(message)) return [resultBlock(message, from)];
  const origin = originOf(stringAt(message, "role") ?? "");
  const known = textFields(message, ["role", "id"]);
  const blocks: Block[] = [];
  for (const [field, read] of FIELDS) {
    const made = read(message[field] ?? null, origin, from);
    if (!made) continue;
    known.push(field);
    blocks.push(...made);
  }
  const extra = leftOver(message, known);
  if (!extra) return blocks;
  const [first, ...others] = blocks;
  if (first) return [{ ...first, ...providerOf(first.provider, extra) }, ...others];
  const saysNothing = Object.values(extra).every(isBlank);
  return saysNothing ? [] : [{ from, origin, kind: "other", content: extra }];
}

/** A developer message is an instruction of the program; nobody knows who speaks in other roles. */
function originOf(role: string): Origin {
  return role === "system" || role === "user" || role === "assistant" ? role : "host";
}

function reasoningBlocks(content: Json, field: string, from: Source): Block[] {
  if (isBlank(content)) return [];
  return [{ from, origin: "assistant", kind: "reasoning", content, ...providerOf({ field }) }];
}

function contentBlocks(content: Json, origin: Origin, from: Source): Block[] {
  const parts = Array.isArray(content) ? (content as readonly Json[]) : [content];
  return parts.flatMap((part): Block[] => {
    if (isBlank(part)) return [];
    if (typeof part === "string") return [{ from, origin, kind: "text", content: part }];
    const text = stringAt(part, "text");
    const isText = isObject(part) && TEXT_PARTS.includes(stringAt(part, "type") ?? "");
    if (!isText || text === undefined) return [{ from, origin, kind: "other", content: part }];
    const rest = leftOver(part, ["type", "text"]);
    if (text === "" && !rest) return [];
    return [
      { from, origin, kind: "text", content: text, ...(rest ? providerOf({ part: rest }) : {}) },
    ];
  });
}

function refusalBlocks(content: Json, from: Source): Block[] | undefined {
  if (isBlank(content)) return [];
  if (typeof content !== "string") return undefined;
  return [
    { from, origin: "assistant", kind: "text", content, ...providerOf({ field: "refusal" }) },
  ];
}

function callBlocks(calls: Json, from: Source): Block[] {
  if (isBlank(calls)) return [];
  const list = Array.isArray(calls) ? (calls as readonly Json[]) : [calls];
  return list.map((call) => callBlock(call, from));
}

function legacyCallBlocks(called: Json, from: Source): Block[] | undefined {
  if (isBlank(called)) return [];
  if (!isObject(called)) return undefined;
  const id = legacyId(stringAt(called, "name"));
  return [callBlock({ id, type: "function_call", function: called }, from)];
}

/** A custom tool takes a text of its own in place of JSON arguments. */
function callBlock(call: Json, from: Source): Block {
  const field = ["function", "custom"].find((each) => objectAt(call, each)) ?? "";
  const called = objectAt(call, field);
  if (!isObject(call) || !called)
    return { from, origin: "assistant", kind: "other", content: call };
  const name = stringAt(called, "name") ?? "";
  const input = firstField(called, ["arguments", "input"]);
  const text = stringAt(called, input);
  const parsed = input === "arguments" && text !== undefined ? parseArguments(text) : undefined;
  const id = idAt(call, "id");
  const isCommon = call.type === "function";
  return {
    from,
    origin: "assistant",
    kind: "tool-call",
    content: { name, arguments: parsed?.value ?? called[input] ?? {} },
    callId: id ?? "",
    tool: { name },
    ...providerOf(
      leftOver(called, [...textFields(called, ["name"]), input]),
      leftOver(call, [field, ...(id === undefined ? [] : ["id"]), ...(isCommon ? ["type"] : [])]),
      parsed?.text === undefined ? undefined : { arguments: parsed.text },
    ),
  };
}

/** The format says nothing of success or failure, so the status stays open. */
function resultBlock(message: JsonObject, from: Source): Block {
  const role = stringAt(message, "role") ?? "";
  const content = message.content ?? "";
  const idField = role === "tool" && idAt(message, "tool_call_id") !== undefined;
  const known = [...textFields(message, ["id", "name"]), "content"];
  if (idField) known.push("tool_call_id");
  if (role === "tool") known.push("role");
  return {
    from,
    origin: "tool",
    kind: "tool-result",
    content: Array.isArray(content) ? (joinTexts(content, TEXT_PARTS) ?? content) : content,
    callId: resultIdOf(message),
    tool: { name: stringAt(message, "name") ?? "" },
    ...providerOf(leftOver(message, known)),
  };
}
