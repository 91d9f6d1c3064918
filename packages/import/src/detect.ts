import type { Json } from "@palimpsest/core";
import { arrayAt, isObject, objectAt, stringAt } from "./draft/blocks.ts";
import type { SessionFormat } from "./report.ts";

/** What a value looks like: a known format, or the name of one that is not read, or neither. */
export type Sighting =
  | { readonly format: SessionFormat }
  | { readonly unsupported: string }
  | undefined;

const CLAUDE_TYPES = new Set([
  "user",
  "assistant",
  "system",
  "summary",
  "progress",
  "attachment",
  "file-history-snapshot",
  "queue-operation",
]);

const CODEX_TYPES = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "event_msg",
  "compacted",
]);

/** Judges one line of a JSONL file, or a whole JSON document. */
export function recognise(value: Json): Sighting {
  if (Array.isArray(value)) return recogniseChat(value[0] ?? null);
  const type = stringAt(value, "type") ?? "";
  if (CODEX_TYPES.has(type) && objectAt(value, "payload")) return { format: "codex" };
  if (CLAUDE_TYPES.has(type) && isClaudeLine(value)) return { format: "claude-code" };
  return recogniseChat(value) ?? recogniseOther(value, type);
}

function isClaudeLine(value: Json): boolean {
  const keys = ["uuid", "sessionId", "session_id", "leafUuid", "messageId"];
  if (keys.some((key) => stringAt(value, key) !== undefined)) return true;
  return stringAt(objectAt(value, "message"), "role") !== undefined;
}

function recogniseChat(value: Json): Sighting {
  const chat = arrayAt(value, "messages") ?? arrayAt(value, "traj");
  const message = chat ? (chat[0] ?? null) : value;
  const isMessage = stringAt(message, "role") !== undefined;
  return isMessage ? { format: "openai-chat" } : undefined;
}

function recogniseOther(value: Json, type: string): Sighting {
  if (!isObject(value)) return undefined;
  if (type === "session" || (type === "message" && objectAt(value, "message"))) {
    return { unsupported: "a pi session" };
  }
  if (/^[a-z]+\.[a-z_]+$/.test(type) && objectAt(value, "data")) {
    return { unsupported: "a Copilot CLI event log" };
  }
  if (arrayAt(value, "trajectory")) return { unsupported: "a SWE-agent trajectory" };
  if (stringAt(value, "sessionId") && arrayAt(value, "messages")) {
    return { unsupported: "a Gemini CLI session" };
  }
  return undefined;
}
