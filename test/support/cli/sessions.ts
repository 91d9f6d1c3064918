/* Small recorded sessions in every form that can be imported, one way to write each. */

type Line = Readonly<Record<string, unknown>>;

/** What one form has for each thing that can happen in a session. */
export interface SessionForm {
  readonly user: (text: string) => Line[];
  readonly assistant: (text: string) => Line[];
  /** A call of a tool and its result. */
  readonly tool: (call: string, name: string, result: string) => Line[];
  /** Something that carries no conversation. */
  readonly nothing: Line[];
  /** The lines as the text of a file. */
  readonly text: (lines: readonly Line[]) => string;
}

const jsonl = (lines: readonly Line[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join("");

let lineNumber = 0;
const claudeLine = (type: string, content: unknown): Line => ({
  type,
  uuid: `u${++lineNumber}`,
  sessionId: "s",
  message: { role: type, content },
});

const claudeCode: SessionForm = {
  user: (text) => [claudeLine("user", text)],
  assistant: (text) => [claudeLine("assistant", [{ type: "text", text }])],
  tool: (id, name, content) => [
    claudeLine("assistant", [{ type: "tool_use", id, name, input: { of: name } }]),
    claudeLine("user", [{ type: "tool_result", tool_use_id: id, content }]),
  ],
  nothing: [{ type: "summary", summary: "Nothing", leafUuid: "x" }],
  text: jsonl,
};

const codexItem = (payload: Line): Line => ({ type: "response_item", payload });
const codexMessage = (role: string, type: string, text: string) =>
  codexItem({ type: "message", role, content: [{ type, text }] });

const codex: SessionForm = {
  user: (text) => [codexMessage("user", "input_text", text)],
  assistant: (text) => [codexMessage("assistant", "output_text", text)],
  tool: (call_id, name, output) => [
    codexItem({ type: "function_call", name, arguments: '{"of":"it"}', call_id }),
    codexItem({ type: "function_call_output", call_id, output }),
  ],
  nothing: [{ type: "turn_context", payload: { cwd: "/home/dev" } }],
  text: jsonl,
};

const chatLines: SessionForm = {
  user: (content) => [{ role: "user", content }],
  assistant: (content) => [{ role: "assistant", content }],
  tool: (id, name, content) => [
    {
      role: "assistant",
      content: null,
      tool_calls: [{ id, type: "function", function: { name, arguments: "{}" } }],
    },
    { role: "tool", tool_call_id: id, content },
  ],
  nothing: [{ role: "user", content: "" }],
  text: jsonl,
};

const taubench: SessionForm = {
  ...chatLines,
  text: (lines) => JSON.stringify([{ traj: lines }]),
};

export const sessionForms: Readonly<Record<string, SessionForm>> = {
  "claude-code": claudeCode,
  codex,
  "openai-chat": chatLines,
  "openai-chat in runs of tau-bench": taubench,
};
