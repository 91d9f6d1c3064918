import { createHash } from "node:crypto";
import type { JsonObject } from "@palimpsest/core";
import type { Block, Source } from "./blocks.ts";
import { stringAt } from "./blocks.ts";

/** Events that show what a person or the model said. */
const MESSAGES = ["user_message", "agent_message"];

interface Shown {
  readonly digest: string;
  readonly what: string;
  readonly at: number;
}

/**
 * Events repeat for the screen what items say, before or after them. A message that was shown and
 * that no item says was not placed.
 */
export class DisplayedTexts {
  readonly #said = new Set<string>();
  #shown: Shown[] = [];

  shown(event: JsonObject, { at }: Source): void {
    const type = stringAt(event, "type") ?? "";
    const text = stringAt(event, "message")?.trim() ?? "";
    if (!MESSAGES.includes(type) || text === "") return;
    this.#shown.push({ digest: digestOf(text), what: `event_msg ${type} that no item says`, at });
  }

  /** An event may show the texts of a message one by one or all at once. */
  said(blocks: readonly Block[]): void {
    const contents = blocks.map((block) => block.content);
    const texts = contents.filter((content) => typeof content === "string");
    for (const text of [...texts, texts.join("")]) this.#said.add(digestOf(text.trim()));
  }

  /** What was shown and never said. */
  takeUnsaid(): Shown[] {
    const unsaid = this.#shown.filter(({ digest }) => !this.#said.has(digest));
    this.#shown = [];
    return unsaid;
  }
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
