import type { Json } from "@palimpsest/core";
import { admitMessage, closeCalls } from "./admit.ts";
import type { Source } from "./blocks.ts";
import { arrayAt, isObject, stringAt } from "./blocks.ts";
import { messageBlocks } from "./chat-blocks.ts";
import type { Draft } from "./draft.ts";
import type { RecordingReader, Steps } from "./reader.ts";
import { count } from "./report.ts";

/**
 * Reads chats in the form of the OpenAI API: a message a line, `{messages}`, an array of either, or
 * the runs of tau-bench (`{traj}`). Several chats of one file follow each other in one window.
 */
export class OpenAiChatReader implements RecordingReader {
  readonly #draft: Draft;
  /** Messages so far; the place of a message, since a document has one line or many. */
  #at = 0;

  constructor(draft: Draft) {
    this.#draft = draft;
  }

  *accept(value: Json, from: Source): Steps {
    if (Array.isArray(value)) {
      for (const item of value as readonly Json[]) yield* this.accept(item, from);
      return;
    }
    const chat = arrayAt(value, "messages") ?? arrayAt(value, "traj");
    if (chat) {
      this.#draft.report.chats += 1;
      for (const message of chat) yield* this.#acceptMessage(message, from);
      yield* this.#closeChat();
    } else yield* this.#acceptMessage(value, from);
  }

  *end(): Steps {
    yield* this.#closeChat();
  }

  *#acceptMessage(message: Json, document: Source): Steps {
    const { report } = this.#draft;
    this.#at += 1;
    const from = { at: this.#at, text: document.text };
    if (!isObject(message) || stringAt(message, "role") === undefined) {
      return count(report.unplaced, "item that is no message", from.at);
    }
    const blocks = messageBlocks(message, from);
    if (blocks.length === 0) return count(report.ignored, "empty message", from.at);
    // Ids repeat in these recordings, and a result belongs to the nearest message with calls: no
    // result can answer an older call once newer calls are there.
    if (blocks.some((block) => block.kind === "tool-call")) closeCalls(this.#draft, from);
    admitMessage(this.#draft, { id: stringAt(message, "id"), blocks });
    yield;
  }

  *#closeChat(): Steps {
    closeCalls(this.#draft, { at: this.#at, text: "" });
    yield;
  }
}
