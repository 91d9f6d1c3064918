/*
 * Lines and messages of the three formats, with no more in them than a test needs.
 */

let uuids = 0;

/** A line of Claude Code. */
export function claude(type: "user" | "assistant", content: unknown, more: object = {}) {
  uuids += 1;
  const id = type === "assistant" ? { id: `msg_${uuids}` } : {};
  return { type, uuid: `u${uuids}`, message: { role: type, ...id, content }, ...more };
}

export function claudeCall(id: string) {
  return { type: "tool_use", id, name: "Run", input: {} };
}

export function claudeResult(id: string, content: unknown = `of ${id}`) {
  return { type: "tool_result", tool_use_id: id, content };
}

export function claudeBoundary(compactMetadata: object = {}) {
  return { type: "system", subtype: "compact_boundary", content: "Compacted", compactMetadata };
}

/** A line of Codex with one item. */
export function codex(payload: object) {
  return { type: "response_item", payload };
}

export function codexMessage(role: string, text: string) {
  const type = role === "assistant" ? "output_text" : "input_text";
  return codex({ type: "message", role, content: [{ type, text }] });
}

export function codexCall(id: string) {
  return codex({ type: "function_call", call_id: id, name: "run", arguments: "{}" });
}

export function codexOutput(id: string) {
  return codex({ type: "function_call_output", call_id: id, output: `of ${id}` });
}

/** A chat message of the model that calls a tool. */
export function chatCalls(...ids: readonly string[]) {
  const call = { name: "run", arguments: "{}" };
  const calls = ids.map((id) => ({ id, type: "function", function: call }));
  return { role: "assistant", content: null, tool_calls: calls };
}

export function chatResult(id: string) {
  return { role: "tool", tool_call_id: id, content: `of ${id}` };
}
