import type { Json, JsonObject } from "@palimpsest/core";
import type { Block, Source } from "../draft/blocks.ts";
import { isBlank, stringAt } from "../draft/blocks.ts";
import { textDigest } from "../exact-json.ts";

/** Events that show what a person or the model said. */
const MESSAGES = ["user_message", "agent_message"];

interface Shown {
  readonly what: string;
  readonly at: number;
  readonly text: string;
}

/**
 * Events repeat for the screen what items say, before or after them. A message that was shown and
 * that no item says was not placed. Only digests of the texts are kept.
 */
export class DisplayedTexts {
  readonly #said = new Set<string>();
  #shown: Shown[] = [];

  shown(event: JsonObject, { at }: Source): void {
    const type = stringAt(event, "type") ?? "";
    const message = event.message ?? null;
    if (!MESSAGES.includes(type) || isBlank(message)) return;
    this.#shown.push({ what: `event_msg ${type} that no item says`, at, text: digestOf(message) });
  }

  /** An event may show the texts of a message one by one or all at once. */
  said(blocks: readonly Block[]): void {
    const contents = blocks.map((block) => block.content);
    const texts = contents.filter((content) => typeof content === "string");
    for (const text of [...texts, texts.join("")]) this.#said.add(digestOf(text));
  }

  /** What was shown and never said. */
  takeUnsaid(): Shown[] {
    const unsaid = this.#shown.filter(({ text }) => !this.#said.has(text));
    this.#shown = [];
    return unsaid;
  }
}

/** No item says a message that is not a text, so such a message has no digest. */
function digestOf(text: Json): string {
  if (typeof text !== "string") return "";
  return textDigest(text.trim());
}
