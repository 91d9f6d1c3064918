import {
  chatCalls,
  claude,
  claudeBoundary,
  claudeCall,
  codex,
  codexCall,
} from "./recorded-lines.ts";

/** A line of a recording, part of which may take other forms. Its texts begin with "said". */
export interface Template {
  readonly name: string;
  /** Lines that stand before. */
  readonly before: readonly unknown[];
  readonly part: unknown;
  readonly line: (part: unknown) => unknown;
  /** What the report says of it, where it is not placed. */
  readonly named?: string;
}

const prompt = claude("user", "start");
const call = claude("assistant", [claudeCall("toolu_1")]);

/** A line of Claude Code whose message has the content. */
function message(
  name: string,
  type: "user" | "assistant",
  part: unknown,
  before: readonly unknown[] = [prompt],
  more: object = {},
): Template {
  return { name, before, part, line: (content) => claude(type, content, more) };
}

export const claudeTemplates: readonly Template[] = [
  message("a text of the user", "user", "said in short"),
  message("blocks of the user", "user", [
    { type: "text", text: "said in a text", citations: [{ cited_text: "said in a citation" }] },
    { type: "image", source: { type: "url", url: "said as a url" } },
  ]),
  message("an answer", "assistant", [
    { type: "thinking", thinking: "said in thought", signature: "said as a signature" },
    { type: "redacted_thinking", data: "said in secret" },
    { type: "text", text: "said aloud" },
    { type: "tool_use", id: "toolu_2", name: "said as a name", input: { a: "said in arguments" } },
  ]),
  message(
    "a result",
    "user",
    [
      {
        type: "tool_result",
        tool_use_id: "toolu_1",
        is_error: true,
        content: [
          { type: "text", text: "said in a result" },
          { type: "image", source: { data: "said in an image" } },
        ],
      },
    ],
    [prompt, call],
  ),
  message(
    "a summary",
    "user",
    [{ type: "text", text: "said in a summary" }],
    [prompt, claudeBoundary()],
    { isCompactSummary: true },
  ),
  {
    name: "a line of the program",
    before: [prompt],
    part: "said by the program",
    line: (content) => ({ type: "system", uuid: "v1", subtype: "informational", content }),
  },
  {
    name: "an attachment",
    before: [prompt],
    part: { type: "file", filename: "said as a file name", content: { text: "said in a file" } },
    line: (attachment) => ({ type: "attachment", uuid: "v1", attachment }),
  },
  {
    name: "a queued attachment",
    before: [prompt],
    part: { type: "queued_command", prompt: "said in the queue", origin: "said of it" },
    line: (attachment) => ({ type: "attachment", uuid: "v1", attachment }),
  },
  {
    name: "an entry of the queue",
    before: [prompt],
    part: "said in the queue",
    line: (content) => ({ type: "queue-operation", operation: "enqueue", content }),
    named: "queued text that was never sent",
  },
  {
    name: "a result in another form",
    before: [prompt, call, claude("user", [{ type: "tool_result", tool_use_id: "toolu_1" }])],
    part: [{ kind: "tool-result", toolUseId: "toolu_1", replacement: "said instead" }],
    line: (replacements) => ({ type: "content-replacement", sessionId: "s", replacements }),
  },
];

function item(part: { readonly type: string; readonly [field: string]: unknown }): Template {
  const before = [codexCall("c")];
  return {
    name: `an item of type ${part.type}`,
    before,
    part,
    line: (value) => codex(value as object),
  };
}

function codexLine(type: string, field: string, part: unknown, more: object = {}): Template {
  const line = (value: unknown) => ({ type, payload: { ...more, [field]: value } });
  return { name: `${field} of a line of type ${type}`, before: [], part, line };
}

export const codexTemplates: readonly Template[] = [
  item({
    type: "message",
    role: "user",
    content: [
      { type: "input_text", text: "said in a text", annotations: ["said in the margin"] },
      { type: "input_image", image_url: "said as a url" },
    ],
  }),
  item({
    type: "reasoning",
    summary: [{ type: "summary_text", text: "said in a summary" }],
    content: [{ type: "reasoning_text", text: "said in thought" }],
    encrypted_content: "said in secret",
  }),
  item({
    type: "function_call",
    call_id: "d",
    name: "said as a name",
    arguments: '"said as json"',
  }),
  item({ type: "custom_tool_call", call_id: "d", name: "patch", input: "said in a patch" }),
  item({ type: "tool_search_call", call_id: "d", arguments: { query: "said in a query" } }),
  item({ type: "web_search_call", action: { type: "search", query: "said in a query" } }),
  item({ type: "function_call_output", call_id: "c", output: "said in an output" }),
  item({
    type: "local_shell_call_output",
    call_id: "c",
    output: { content: "said in an output", success: true },
  }),
  item({
    type: "custom_tool_call_output",
    call_id: "c",
    output: [{ type: "input_text", text: "said in a part" }],
  }),
  item({ type: "tool_search_output", call_id: "c", tools: [{ name: "said of a tool" }] }),
  item({ type: "compaction", encrypted_content: "said in secret" }),
  codexLine("session_meta", "base_instructions", { text: "said at first" }),
  codexLine("compacted", "message", "said in a summary"),
  codexLine("compacted", "replacement_history", [
    { type: "message", role: "user", content: [{ type: "input_text", text: "said anew" }] },
  ]),
  {
    ...codexLine("event_msg", "message", "said on the screen only", { type: "agent_message" }),
    named: "event_msg agent_message that no item says",
  },
];

function chat(name: string, part: object): Template {
  return { name, before: [chatCalls("c")], part, line: (value) => value };
}

export const chatTemplates: readonly Template[] = [
  chat("a text", { role: "user", name: "said of whom", content: "said in short" }),
  chat("parts", {
    role: "developer",
    content: [
      { type: "text", text: "said in a text", annotations: ["said in the margin"] },
      { type: "image_url", image_url: { url: "said as a url" } },
      { type: "refusal", refusal: "said no" },
    ],
  }),
  chat("an answer", {
    role: "assistant",
    content: null,
    reasoning_content: "said in thought",
    refusal: "said no",
    audio: { transcript: "said aloud" },
    tool_calls: [
      {
        id: "d",
        type: "function",
        function: { name: "said as a name", arguments: '"said as json"' },
      },
      { id: "e", type: "custom", custom: { name: "patch", input: "said in a patch" } },
    ],
    function_call: { name: "said as a name", arguments: "said without json" },
  }),
  chat("spoken words", { role: "assistant", audio: { transcript: "said aloud" } }),
  chat("a result", {
    role: "tool",
    tool_call_id: "c",
    name: "said by",
    content: "said in a result",
  }),
  chat("a result in parts", {
    role: "tool",
    tool_call_id: "c",
    content: [{ type: "text", text: "said in a part", annotations: ["said in the margin"] }],
  }),
  chat("a result of a function", { role: "function", name: "f", content: "said in a result" }),
  chat("a whole chat", { messages: [{ role: "user", content: "said in a chat" }] }),
  {
    ...chat("what the messages of a chat are said to have", {
      tools: [{ name: "said of a tool" }],
    }),
    line: (part) => ({ ...(part as object), messages: [] }),
    named: "field tools of a chat",
  },
];
