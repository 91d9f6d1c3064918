import type { Json, JsonObject } from "@palimpsest/core";
import { admitMessage, closeCalls } from "../draft/admit.ts";
import type { Source } from "../draft/blocks.ts";
import { isBlank, isObject, stringAt } from "../draft/blocks.ts";
import type { Draft } from "../draft/draft.ts";
import type { RecordingReader, Steps } from "../draft/reader.ts";
import { count } from "../report.ts";
import type { Scan } from "../scan.ts";
import { chatOf, itemsOf, messageBlocks } from "./blocks.ts";

/** Fields beside the messages of a chat of which the model saw nothing. */
const UNSEEN_FIELDS = new Set([
  "created",
  "id",
  "info",
  "model",
  "object",
  "reward",
  "task_id",
  "trial",
]);

/**
 * Reads chats in the form of the OpenAI API: a message a line, `{messages}`, an array of either, or
 * the runs of tau-bench (`{traj}`). Several chats of one file follow each other in one window.
 */
export class OpenAiChatReader implements RecordingReader {
  readonly #draft: Draft;
  readonly #scan: Scan;
  /** Messages so far; the place of a message, since a document has one line or many. */
  #at = 0;

  constructor(draft: Draft, scan: Scan) {
    this.#draft = draft;
    this.#scan = scan;
  }

  *accept(value: Json, from: Source): Steps {
    for (const item of itemsOf(value)) {
      const chat = chatOf(item);
      if (chat && isObject(item)) yield* this.#acceptChat(item, chat, from);
      else yield* this.#acceptMessage(item, from);
    }
  }

  *end(): Steps {
    yield* this.#closeChat();
  }

  *#acceptChat(chat: JsonObject, messages: readonly Json[], document: Source): Steps {
    const { report } = this.#draft;
    report.chats += 1;
    for (const [field, value] of Object.entries(chat)) {
      const saysSomething = ["object", "string"].includes(typeof value) && !isBlank(value);
      if (value === messages || !saysSomething) continue;
      const list = UNSEEN_FIELDS.has(field) ? report.ignored : report.unplaced;
      count(list, `field ${field} of a chat`, this.#at + 1);
    }
    for (const message of messages) yield* this.#acceptMessage(message, document);
    yield* this.#closeChat();
  }

  *#acceptMessage(message: Json, document: Source): Steps {
    const { report } = this.#draft;
    this.#at += 1;
    const from = { at: this.#at, text: document.text };
    if (!isObject(message) || stringAt(message, "role") === undefined) {
      return count(report.unplaced, "item that is not a message", from.at);
    }
    const blocks = messageBlocks(message, from);
    if (blocks.length === 0) return count(report.ignored, "empty message", from.at);
    admitMessage(this.#draft, { id: stringAt(message, "id"), blocks });
    closeCalls(this.#draft, from, (call) => !this.#scan.answered.has(call.recordedId));
    yield;
  }

  *#closeChat(): Steps {
    closeCalls(this.#draft, { at: this.#at, text: "" });
    yield;
  }
}
