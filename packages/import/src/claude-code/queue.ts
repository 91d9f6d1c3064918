import type { JsonObject } from "@palimpsest/core";
import type { Source } from "../draft/blocks.ts";
import { stringAt } from "../draft/blocks.ts";

interface Queued {
  readonly text: string;
  readonly from: Source;
}

/**
 * What the user typed while the model was at work. Such a text is recorded when it is queued; when
 * it is sent, it comes again on a line of its own, or, handed over in the middle of a turn, on no
 * line at all. So a text that was handed over waits for the next message and is placed before it,
 * unless that message is the text itself.
 */
export class PromptQueue {
  readonly #waiting: Queued[] = [];
  /** Texts that were sent as a prompt, whose line is to come. */
  readonly #sent: Queued[] = [];
  readonly #handedOver: Queued[] = [];

  /** Answers false for a line with something that is neither a text nor in the queue. */
  record(line: JsonObject, from: Source): boolean {
    const text = stringAt(line, "content");
    if (line.operation === "enqueue") {
      if (text !== undefined) this.#waiting.push({ text, from });
      return text !== undefined;
    }
    const index = this.#waiting.findIndex((queued) => queued.text === (text ?? queued.text));
    if (line.operation === "dequeue") this.#sent.push(...this.#taken(index));
    if (line.operation === "remove") this.#handedOver.push(...this.#taken(index));
    return line.content === undefined || (text !== undefined && index >= 0);
  }

  #taken(index: number): Queued[] {
    return index < 0 ? [] : this.#waiting.splice(index, 1);
  }

  /** A line repeats this text: it was sent. A text that is queued twice is sent twice. */
  seen(text: unknown): void {
    for (const list of [this.#sent, this.#handedOver, this.#waiting]) {
      const index = list.findIndex((queued) => queued.text === text);
      if (index < 0) continue;
      list.splice(index, 1);
      return;
    }
  }

  /** The texts that were handed to the model without a line of their own. */
  takeHandedOver(): Queued[] {
    return this.#handedOver.splice(0);
  }

  /** The texts of which no message was found. */
  takeUnsent(): Queued[] {
    return [...this.#sent.splice(0), ...this.#waiting.splice(0)];
  }
}
